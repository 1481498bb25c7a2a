import { createBrowser, scene } from '@legate/dev';
import * as v2 from '@modelcontextprotocol/client';
import * as v1Auth from '@modelcontextprotocol/sdk/client/auth.js';
import * as v1Client from '@modelcontextprotocol/sdk/client/index.js';
import * as v1Http from '@modelcontextprotocol/sdk/client/streamableHttp.js';

/** Drives the official TypeScript SDKs, with their own OAuth code and nothing specific to the hub. */

const REDIRECT_URI = 'http://localhost:6274/oauth/callback';

/** The client data and tokens that both versions store */
type Registered = { client_id: string; client_secret?: string };
interface Tokens {
  access_token: string;
  token_type: string;
  refresh_token?: string;
}

/** Storage that an application provides to an SDK, in memory */
export class MemoryProvider {
  readonly redirectUrl = REDIRECT_URI;
  readonly clientMetadata = {
    client_name: 'A client that nobody knows',
    redirect_uris: [REDIRECT_URI],
    grant_types: ['authorization_code', 'refresh_token'],
    response_types: ['code'],
    token_endpoint_auth_method: 'none',
  };
  readonly clientMetadataUrl?: string;
  authorizationUrl = '';
  private verifier = '';
  private kept: Tokens | undefined;
  private registered: Registered | undefined;

  /** @param clientMetadataUrl of a document about the client, for servers that read it */
  constructor(registered?: Registered, clientMetadataUrl?: string) {
    this.registered = registered;
    if (clientMetadataUrl !== undefined) this.clientMetadataUrl = clientMetadataUrl;
  }
  clientInformation(): Registered | undefined {
    return this.registered;
  }
  saveClientInformation(registered: Registered): void {
    this.registered = registered;
  }
  tokens(): Tokens | undefined {
    return this.kept;
  }
  saveTokens(tokens: Tokens): void {
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
  /** Makes an SDK refresh, as it does after the access token has expired. */
  forgetAccessToken(): void {
    if (this.kept) this.kept = { ...this.kept, access_token: 'lat_over' };
  }
}

/** The part of a connected client that both versions share */
export interface McpClient {
  listTools(): Promise<{ tools: { name: string }[] }>;
  callTool(params: { name: string; arguments: Record<string, unknown> }): Promise<object>;
  close(): Promise<void>;
}

export interface Sdk {
  /** Connects with the provider's data. @throws `Unauthorized` if the user must sign in */
  open(url: URL, provider: MemoryProvider): Promise<McpClient>;
  /** Redeems the authorization response that the redirect URI received. */
  finish(url: URL, provider: MemoryProvider, callback: URLSearchParams): Promise<void>;
  readonly Unauthorized: new (...args: never[]) => Error;
}

type SdkRow = readonly [version: string, sdk: Sdk];

const INFO = { name: 'test', version: '1' };

const SDK_2: Sdk = {
  async open(url, authProvider) {
    const client = new v2.Client(INFO);
    await client.connect(new v2.StreamableHTTPClientTransport(url, { authProvider }));
    return client;
  },
  finish: (url, authProvider, callback) =>
    new v2.StreamableHTTPClientTransport(url, { authProvider }).finishAuth(callback),
  Unauthorized: v2.UnauthorizedError,
};

const SDK_1: Sdk = {
  async open(url, authProvider) {
    const client = new v1Client.Client(INFO);
    await client.connect(new v1Http.StreamableHTTPClientTransport(url, { authProvider }));
    return client;
  },
  finish: (url, authProvider, callback) =>
    new v1Http.StreamableHTTPClientTransport(url, { authProvider }).finishAuth(callback.get('code') ?? ''),
  Unauthorized: v1Auth.UnauthorizedError,
};

export const SDKS: readonly [newest: SdkRow, ...others: SdkRow[]] = [
  ['2', SDK_2],
  ['1', SDK_1],
];

/** Signs the user in at the URL to which the SDK has sent them, and allows the client. */
export async function signInThrough(
  sdk: Sdk,
  url: URL,
  provider: MemoryProvider,
  email: string,
): Promise<void> {
  const { authorizationUrl } = provider;
  const callback = await createBrowser().signIn(authorizationUrl, REDIRECT_URI, email, scene.PASSWORD);
  await sdk.finish(url, provider, callback.searchParams);
}
