import {
  type AuthProvider,
  Client,
  type OAuthClientProvider,
  StreamableHTTPClientTransport,
} from '@modelcontextprotocol/client';

/**
 * Connects the MCP SDK's client with a tool server, in the protocol revision that the server supports. All peers use
 * it.
 */
export async function connectSdkClient(
  url: string,
  authProvider: AuthProvider | OAuthClientProvider,
): Promise<Client> {
  const client = new Client(
    { name: 'bench-peer', version: '1.0.0' },
    { versionNegotiation: { mode: 'auto' } },
  );
  await client.connect(new StreamableHTTPClientTransport(new URL(url), { authProvider }));
  return client;
}
