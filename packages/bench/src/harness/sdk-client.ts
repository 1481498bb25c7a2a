import {
  type AuthProvider,
  Client,
  type OAuthClientProvider,
  StreamableHTTPClientTransport,
} from '@modelcontextprotocol/client';

/** The MCP SDK's client, connected with a tool server in whichever revision that speaks: what all peers are made of. */
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
