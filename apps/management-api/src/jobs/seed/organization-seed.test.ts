import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { ConfigError } from '@legate/service';
import { readSeed } from './organization-seed.ts';

const DEVELOPMENT = fileURLToPath(
  new URL('../../../../../infra/development/organizations.json', import.meta.url),
);
let directory: string;

beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'legate-seed-'));
});

afterAll(() => rm(directory, { recursive: true }));

it('accepts the development file in development, with its plans', () => {
  const { organizations } = readSeed(DEVELOPMENT, {}, false);
  expect(organizations.map(({ id, plan }) => [id, plan])).toEqual([
    ['org_acme', 'pro'],
    ['org_globex', 'free'],
  ]);
});

it('refuses the development file in production', () => {
  expect(() => readSeed(DEVELOPMENT, {}, true)).toThrow(ConfigError);
});

it.each(['tool-hub-at-reference-dev-secret', 'change-me', 'too-short'])(
  'refuses a connector with the secret %s in production, and does not show it',
  async (secret) => {
    const path = join(directory, 'secrets.json');
    const { connectors } = readSeed(DEVELOPMENT, {}, false);
    await writeFile(
      path,
      JSON.stringify({ organizations: [], connectors: connectors.map((one) => ({ ...one, secret })) }),
    );
    expect(readSeed(path, {}, false).connectors).toHaveLength(1);
    const read = () => readSeed(path, {}, true);
    expect(read).toThrow(/connector con_reference: secret: .*production/);
    expect(read).not.toThrow(secret);
  },
);

it.each([
  ['an unknown plan', { id: 'org_1', name: 'One', plan: 'gold' }],
  ['an id that would not fit into a cache key', { id: 'org:1', name: 'One', plan: 'free' }],
  ['a number for a plan that has its own', { id: 'org_1', name: 'One', plan: 'pro', requests_per_minute: 5 }],
  ['a member that nobody knows', { id: 'org_1', name: 'One', plan: 'free', owner: 'x' }],
])('refuses %s, and reports where it is in the file', async (_case, organization) => {
  const path = join(directory, 'seed.json');
  await writeFile(path, JSON.stringify({ organizations: [organization] }));
  expect(() => readSeed(path, {}, false)).toThrow(/organizations\.0/);
});

it('refuses API keys in a file that is not for development', async () => {
  const path = join(directory, 'keys.json');
  const { service_accounts } = readSeed(DEVELOPMENT, {}, false);
  expect(service_accounts.map(({ id }) => id)).toEqual(['sva_ci']);
  await writeFile(path, JSON.stringify({ organizations: [], service_accounts }));
  expect(() => readSeed(path, {}, false)).toThrow(/service_accounts/);
  const [{ key: _left, ...account } = {}] = service_accounts;
  await writeFile(path, JSON.stringify({ organizations: [], service_accounts: [account] }));
  expect(readSeed(path, {}, true).service_accounts).toHaveLength(1);
});
