import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { createBrowser, ROOT, scene } from '@legate/dev';
import {
  Client,
  type OAuthClientInformationMixed,
  type OAuthClientProvider,
  type OAuthDiscoveryState,
  type OAuthTokens,
  StreamableHTTPClientTransport,
  UnauthorizedError,
} from '@modelcontextprotocol/client';
import { type StackUnderTest, startStackUnderTest } from './stack-under-test.ts';

/** Ordinary MCP clients: the official SDK with its own OAuth code, and nothing that knows of the hub. */

let stack: StackUnderTest;
beforeAll(async () => {
  stack = await startStackUnderTest({
    services: ['mock-idp', 'reference-mcp-server', 'tool-hub'],
    env: {
      'tool-hub': {
        CONNECTORS_FILE: `${ROOT}infra/development/connectors.json`,
        MANAGEMENT_API_URL: '',
      },
    },
  });
}, 60_000);
afterAll(() => stack?.stop(), 60_000);

const REDIRECT_URI = 'http://localhost:6274/oauth/callback';
type Saved = OAuthClientInformationMixed;

/** What an application keeps for the SDK, in memory */
class MemoryProvider implements OAuthClientProvider {
  readonly redirectUrl = REDIRECT_URI;
  readonly clientMetadata = {
    client_name: 'A client that nobody knows',
    redirect_uris: [REDIRECT_URI],
    grant_types: ['authorization_code', 'refresh_token'],
    response_types: ['code'],
    token_endpoint_auth_method: 'none',
  };
  authorizationUrl = '';
  private verifier = '';
  private kept: OAuthTokens | undefined;
  private registered: Saved | undefined;
  private discovered: OAuthDiscoveryState | undefined;

  constructor(registered?: Saved) {
    this.registered = registered;
  }
  clientInformation(): Saved | undefined {
    return this.registered;
  }
  saveClientInformation(registered: Saved): void {
    this.registered = registered;
  }
  tokens(): OAuthTokens | undefined {
    return this.kept;
  }
  saveTokens(tokens: OAuthTokens): void {
    this.kept = tokens;
  }
  redirectToAuthorization(url: URL): void {
    this.authorizationUrl = url.href;
  }
  saveCodeVerifier(verifier: string): void {
    this.verifier = verifier;
  }
  codeVerifier(): string {
    return this.verifier;
  }
  invalidateCredentials(scope: string): void {
    if (scope === 'tokens' || scope === 'all') this.kept = undefined;
    if (scope === 'client' || scope === 'all') this.registered = undefined;
  }
  saveDiscoveryState(state: OAuthDiscoveryState): void {
    this.discovered = state;
  }
  discoveryState(): OAuthDiscoveryState | undefined {
    return this.discovered;
  }
  /** What the SDK does when the access token is over */
  forgetAccessToken(): void {
    if (this.kept) this.kept = { ...this.kept, access_token: 'lat_over' };
  }
}

const mcpUrl = () => new URL(`${stack.urls['tool-hub']}/mcp`);

async function open(provider: MemoryProvider): Promise<Client> {
  const client = new Client({ name: 'test', version: '1' });
  await client.connect(new StreamableHTTPClientTransport(mcpUrl(), { authProvider: provider }));
  return client;
}

/** Connects, is sent to sign in, and does so as that user. */
async function signIn(provider: MemoryProvider, email: string): Promise<void> {
  const transport = new StreamableHTTPClientTransport(mcpUrl(), { authProvider: provider });
  const client = new Client({ name: 'test', version: '1' });
  await expect(client.connect(transport)).rejects.toBeInstanceOf(UnauthorizedError);
  const callback = await createBrowser().signIn(
    provider.authorizationUrl,
    REDIRECT_URI,
    email,
    scene.PASSWORD,
  );
  await transport.finishAuth(callback.searchParams);
}

async function whoami(client: Client): Promise<string> {
  const { tools } = await client.listTools();
  const name = tools.find((tool) => tool.name.endsWith('whoami'))?.name ?? '';
  return JSON.stringify((await client.callTool({ name, arguments: {} })).structuredContent);
}

describe('a client of the official SDK', () => {
  it('registers itself, signs Alice in and calls a tool for them', async () => {
    const provider = new MemoryProvider();
    await signIn(provider, scene.USERS.alice.email);
    const client = await open(provider);
    expect(await whoami(client)).toContain('user_alice');
    await client.close();
  }, 60_000);

  it('that the operator has registered signs Bob in', async () => {
    const provider = new MemoryProvider({ client_id: 'example-mcp-client' });
    await signIn(provider, scene.USERS.bob.email);
    const client = await open(provider);
    expect(await whoami(client)).toContain('user_bob');
    await client.close();
  }, 60_000);

  it('refreshes its tokens by itself', async () => {
    const provider = new MemoryProvider();
    await signIn(provider, scene.USERS.alice.email);
    const before = provider.tokens()?.refresh_token;
    provider.forgetAccessToken();
    const client = await open(provider);
    expect(await whoami(client)).toContain('user_alice');
    expect(provider.tokens()?.refresh_token).not.toBe(before);
    await client.close();
  }, 60_000);

  it('asks its user again once the tokens are revoked', async () => {
    const provider = new MemoryProvider();
    await signIn(provider, scene.USERS.alice.email);
    const client = await open(provider);
    const form = new URLSearchParams({
      token: provider.tokens()?.refresh_token ?? '',
      client_id: provider.clientInformation()?.client_id ?? '',
    });
    const revoked = await fetch(`${stack.urls['tool-hub']}/oauth/revoke`, { method: 'POST', body: form });
    expect(revoked.status).toBe(200);
    provider.authorizationUrl = '';
    await expect(client.listTools()).rejects.toBeInstanceOf(UnauthorizedError);
    expect(provider.authorizationUrl).toContain('/oauth/authorize?');
    await client.close();
  }, 60_000);

  it('goes on after a restart of the hub, or signs its user in again if nothing was kept', async () => {
    const provider = new MemoryProvider();
    await signIn(provider, scene.USERS.alice.email);
    await stack.kill('tool-hub');
    await stack.restart('tool-hub');
    if (process.env.TEST_REDIS_URL) {
      const client = await open(provider);
      expect(await whoami(client)).toContain('user_alice');
      await client.close();
    } else {
      // Sessions, and the keys that sealed the registration, were in the process.
      const before = provider.clientInformation()?.client_id;
      await signIn(provider, scene.USERS.alice.email);
      expect(provider.clientInformation()?.client_id).not.toBe(before);
      const client = await open(provider);
      expect(await whoami(client)).toContain('user_alice');
      await client.close();
    }
  }, 60_000);
});
