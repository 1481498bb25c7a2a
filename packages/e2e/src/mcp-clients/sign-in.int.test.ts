import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { ROOT, scene } from '@legate/dev';
import { type StackUnderTest, startStackUnderTest } from '../stack-under-test.ts';
import { type McpClient, MemoryProvider, SDKS, type Sdk, signInThrough } from './sdks.ts';

/** Tests ordinary MCP clients: the official SDK with its own OAuth code, and nothing specific to the hub. */

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
});
afterAll(() => stack?.stop());

const mcpUrl = () => new URL(`${stack.urls['tool-hub']}/mcp`);

/** Connects, is sent to sign in, and does so as that user. */
async function signInWith(sdk: Sdk, provider: MemoryProvider, email: string): Promise<void> {
  await expect(sdk.open(mcpUrl(), provider)).rejects.toBeInstanceOf(sdk.Unauthorized);
  await signInThrough(sdk, mcpUrl(), provider, email);
}

async function whoami(client: McpClient): Promise<string> {
  const { tools } = await client.listTools();
  const name = tools.find((tool) => tool.name.endsWith('whoami'))?.name ?? '';
  return JSON.stringify(await client.callTool({ name, arguments: {} }));
}

describe.each(SDKS)('a client of the official SDK, version %s,', (_version, sdk) => {
  const open = (provider: MemoryProvider) => sdk.open(mcpUrl(), provider);
  const signIn = (provider: MemoryProvider, email: string) => signInWith(sdk, provider, email);

  it('registers itself, signs Alice in and calls a tool for them', async () => {
    const provider = new MemoryProvider();
    await signIn(provider, scene.USERS.alice.email);
    const client = await open(provider);
    expect(await whoami(client)).toContain('user_alice');
    await client.close();
  });

  it('that the operator has registered signs Bob in', async () => {
    const provider = new MemoryProvider({ client_id: 'example-mcp-client' });
    await signIn(provider, scene.USERS.bob.email);
    const client = await open(provider);
    expect(await whoami(client)).toContain('user_bob');
    await client.close();
  });

  it('refreshes its tokens by itself', async () => {
    const provider = new MemoryProvider();
    await signIn(provider, scene.USERS.alice.email);
    const before = provider.tokens()?.refresh_token;
    provider.forgetAccessToken();
    const client = await open(provider);
    expect(await whoami(client)).toContain('user_alice');
    expect(provider.tokens()?.refresh_token).not.toBe(before);
    await client.close();
  });

  it('asks its user to sign in again once the tokens are revoked', async () => {
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
    await expect(client.listTools()).rejects.toBeInstanceOf(sdk.Unauthorized);
    expect(provider.authorizationUrl).toContain('/oauth/authorize?');
    await client.close();
  });

  it('continues after a restart of the hub, or signs its user in again if nothing was stored', async () => {
    const provider = new MemoryProvider();
    await signIn(provider, scene.USERS.alice.email);
    await stack.kill('tool-hub');
    await stack.restart('tool-hub');
    if (process.env.TEST_REDIS_URL) {
      const client = await open(provider);
      expect(await whoami(client)).toContain('user_alice');
      await client.close();
    } else {
      // Sessions, and the keys that sealed the registration, were only in the memory of the process.
      const before = provider.clientInformation()?.client_id;
      await signIn(provider, scene.USERS.alice.email);
      expect(provider.clientInformation()?.client_id).not.toBe(before);
      const client = await open(provider);
      expect(await whoami(client)).toContain('user_alice');
      await client.close();
    }
  });
});
