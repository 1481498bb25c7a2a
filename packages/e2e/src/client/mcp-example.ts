import { createClient } from '@legate/client';
import { hubFetch } from '@legate/client/mcp';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/client';

export const transportOf = (hub: string, idToken: () => Promise<string>) =>
  new StreamableHTTPClientTransport(new URL(`${hub}/mcp`), {
    fetch: hubFetch(createClient({ hub, idToken })),
  });
