import { createManagementClient, pages } from '@legate/client/management';

/** Lists the names of the sites of an organization. */
export async function namesOfSites(baseUrl: string, accessToken: string): Promise<string[]> {
  const client = createManagementClient({ baseUrl, accessToken });
  const names: string[] = [];
  for await (const { data, error } of pages(client, '/sites', { query: { sort: 'name' } })) {
    if (error) throw new Error(`${error.code}: ${error.detail}`);
    names.push(...data.data.map(({ name }) => name));
  }
  return names;
}
