import type { ManagementApi } from '../../services/management-api.ts';
import type { Connector } from './connector-lines.ts';

/** Lists the connectors of the organization. */
export async function allConnectors({ client, read, pages }: ManagementApi): Promise<readonly Connector[]> {
  const all: Connector[] = [];
  for await (const page of pages(client, '/connectors', { query: { limit: 100 } }))
    all.push(...read(page).data);
  return all;
}
