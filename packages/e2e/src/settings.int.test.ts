import { readdirSync, readFileSync } from 'node:fs';
import { expect, it } from '@jest/globals';
import {
  environmentOf,
  loadSettings,
  ROOT,
  renderSettings,
  SERVICE_NAMES,
  type ServiceName,
  type StackOptions,
} from '@legate/dev';
import { isDevelopmentSecret } from '@legate/service';
import { configFaults, namesAtFault } from '@legate/service/testing';

const DEVELOPMENT_SECRETS = `${ROOT}infra/development/secrets/`;
const DEVELOPMENT_STACK: StackOptions = {
  ports: { 'management-api': 1, 'tool-hub': 2, 'mock-idp': 3, 'reference-mcp-server': 4, console: 5 },
  databaseUrl: 'postgres://legate:legate-dev-password@localhost/legate',
  redisUrl: undefined,
  encryptionKeys: undefined,
  dataDir: '/tmp',
  logLevel: 'info',
};

async function faultsOf(name: ServiceName, env: NodeJS.ProcessEnv): Promise<readonly string[]> {
  const { loadConfig } = await import(`${ROOT}apps/${name}/dist/config.js`);
  return configFaults(() => loadConfig(env));
}

it('docs/operations/settings.md is what `npm run settings` generates from the code', async () => {
  const written = readFileSync(`${ROOT}docs/operations/settings.md`, 'utf8');
  expect(written).toBe(renderSettings(await loadSettings()));
});

it('recognizes every published secret as a development secret', () => {
  const names = readdirSync(DEVELOPMENT_SECRETS);
  expect(names.length).toBeGreaterThan(0);
  const unknown = names.filter((name) => {
    const text = readFileSync(`${DEVELOPMENT_SECRETS}${name}`, 'utf8').trim();
    return !isDevelopmentSecret(text);
  });
  expect(unknown).toEqual([]);
});

it.each(SERVICE_NAMES)(
  '%s with the settings of `npm start` refuses to start in production, secret by secret',
  async (name) => {
    const env = environmentOf(name, DEVELOPMENT_STACK);
    const named = namesAtFault(await faultsOf(name, { ...env, NODE_ENV: 'production' }));
    const secrets = (await loadSettings()).get(name)?.filter(({ secret }) => secret) ?? [];
    const given = secrets.map((setting) => setting.name).filter((setting) => env[setting]);
    expect(given.length).toBeGreaterThan(0);
    expect(named).toEqual(expect.arrayContaining([...given, 'OUTBOUND_ALLOW']));
    expect(named.some((one) => one.endsWith('.json'))).toBe(true); // its file of the scene
  },
);

it.each(SERVICE_NAMES)('%s takes the same settings in development', async (name) => {
  expect(await faultsOf(name, environmentOf(name, DEVELOPMENT_STACK))).toEqual([]);
});
