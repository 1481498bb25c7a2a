import { randomBytes } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { ROOT } from '@legate/dev';
import { configFaults } from '@legate/service/testing';

/** Contents of the files that an operator must create according to docs/operations/production.md */
const password = (): string => randomBytes(32).toString('hex');
const keys = (): string => `k1:${randomBytes(32).toString('base64')}`;
const SECRETS: Readonly<Record<string, string>> = {
  'database-url': `postgres://management_api:${password()}@db.example.com:5432/legate`,
  'migration-database-url': `postgres://legate_owner:${password()}@db.example.com:5432/legate`,
  'redis-password': password(),
  'connector-encryption-keys': keys(),
  'encryption-keys': keys(),
  'api-client-secret': password(),
  'idp-client-secret': password(),
};

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'legate-settings-'));
  for (const [name, value] of Object.entries(SECRETS))
    writeFileSync(join(folder, name), value, { mode: 0o600 });
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const page = () => readFileSync(`${ROOT}docs/operations/production.md`, 'utf8');

/** Returns the block of the document after the name of the file, parsed as Docker reads an `--env-file`. */
function settingsIn(file: string): NodeJS.ProcessEnv {
  const [, block] =
    page()
      .split(`\n\`${file}\`, for `)[1]
      ?.split(/^```(?:ini)?$/m) ?? [];
  const lines = (block ?? '').split('\n').filter((line) => line !== '' && !line.startsWith('#'));
  expect(lines).not.toEqual([]);
  const inFolder = (value: string) => value.replace('/run/secrets', folder);
  return Object.fromEntries(lines.map((line) => line.split(/=(.*)/s).map(inFolder)));
}

it.each([
  ['migration.env', 'management-api', 'loadDatabaseConfig', { login: 'owner' }],
  ['api.env', 'management-api', 'loadConfig', undefined],
  ['hub.env', 'tool-hub', 'loadConfig', undefined],
  ['console.env', 'console', 'loadConfig', undefined],
])('with %s of the documents, %s has all settings of production', async (file, name, load, options) => {
  const config = await import(`${ROOT}apps/${name}/dist/config.js`);
  const env = { NODE_ENV: 'production', ...settingsIn(file) };
  expect(configFaults(() => config[load](env, options))).toEqual([]);
});

it.each([
  ['api.env', 'TOOL_HUB_URL', 'TRANSACTION_TOKEN_ISSUER', 'hub.env', 'PUBLIC_URL'],
  ['hub.env', 'MANAGEMENT_API_URL', 'MANAGEMENT_API_RESOURCE', 'api.env', 'RESOURCE'],
])('%s has an internal %s, and in %s what tokens for it name', (file, url, name, peerFile, peerName) => {
  const env = settingsIn(file);
  const peer = settingsIn(peerFile);
  expect(env[url]).toMatch(/^http:\/\/[\w-]+\.internal:\d+$/);
  expect(env[name]).toBe(peer[peerName]);
  expect(env.OUTBOUND_ALLOW).toBeDefined();
  expect(env.WORKLOADS).toMatch(new RegExp(`^${peer.IDP_CLIENT_ID}=internal:`));
});

it('keeps the keys of management-api and the hub apart in one Redis', () => {
  const prefixes = ['api.env', 'hub.env'].map((file) => settingsIn(file).REDIS_KEY_PREFIX);
  expect(prefixes).toEqual(['api:', 'hub:']);
});

it('shows a SEED_FILE that management-api takes in production', async () => {
  const [, seed = ''] = /`SEED_FILE`.*?```json\n(.*?)```/s.exec(page()) ?? [];
  writeFileSync(join(folder, 'organizations.json'), seed);
  const config = await import(`${ROOT}apps/management-api/dist/config.js`);
  const env = { NODE_ENV: 'production', ...settingsIn('api.env') };
  const load = () => config.loadConfig({ ...env, SEED_FILE: join(folder, 'organizations.json') });
  expect(configFaults(load)).toEqual([]);
});

it('does not turn onboarding on, as step 5 states', async () => {
  const config = await import(`${ROOT}apps/management-api/dist/config.js`);
  const env = { NODE_ENV: 'production', ...settingsIn('api.env') };
  expect(configFaults(() => config.loadConfig({ ...env, IDP_ADMIN_API_KEY: password() }))).toEqual(
    ['IDP_ADMIN_URL', 'ENCRYPTION_KEYS'].map((setting) => `${setting}: required for onboarding`),
  );
});
