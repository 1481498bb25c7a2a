import { readFile } from 'node:fs/promises';
import { createManagementClient, type ManagementClient, pages } from '@legate/client/management';
import { createOwnToken } from './own-token.ts';

const {
  API = 'http://localhost:4000',
  ISSUER = 'http://localhost:4002',
  CLIENT_ID = 'ci',
  CLIENT_SECRET = '',
  SITES = 'sites.json',
} = process.env;

interface Site {
  readonly name: string;
  readonly allowed_origins: string[];
}

async function namesOfSites(client: ManagementClient): Promise<Set<string>> {
  const names = new Set<string>();
  for await (const { data, error } of pages(client, '/sites', { query: { sort: 'name' } })) {
    if (error) throw new Error(`${error.code}: ${error.detail}`);
    for (const { name } of data.data) names.add(name);
  }
  return names;
}

/** Creates the sites of the file that the organization does not have. Other sites of the organization are kept. */
async function createMissing(client: ManagementClient, wanted: readonly Site[]): Promise<void> {
  const present = await namesOfSites(client);
  for (const site of wanted.filter(({ name }) => !present.has(name))) {
    const { data, error } = await client.POST('/sites', { body: site });
    if (error) throw new Error(`${site.name}: ${error.code}: ${error.detail}`);
    process.stdout.write(`created ${data.id} ${data.name}\n`);
  }
}

try {
  const accessToken = await createOwnToken({
    issuer: ISSUER,
    clientId: CLIENT_ID,
    clientSecret: CLIENT_SECRET,
    resource: API,
  });
  const client = createManagementClient({ baseUrl: API, accessToken });
  const { data, error } = await client.GET('/me');
  if (error) throw new Error(`${error.code}: ${error.detail}`);
  process.stdout.write(
    `acts as ${data.user.name} (${data.user.type}, ${data.role}) of ${data.organization?.name}\n`,
  );
  await createMissing(client, JSON.parse(await readFile(SITES, 'utf8')));
  process.stdout.write('all sites are there\n');
} catch (error) {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
  process.exitCode = 1;
}
