import { execFile } from 'node:child_process';
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { expect, it } from '@jest/globals';
import {
  environmentOf,
  loadRemovedSettings,
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
  expect(written).toBe(renderSettings(await loadSettings(), await loadRemovedSettings()));
});

it('knows every published secret for one of development', () => {
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

const SERVICES_OF_EARLIER_VERSIONS = ['management-api', 'reference-mcp-server', 'tool-hub'] as const;

it.each(SERVICES_OF_EARLIER_VERSIONS)(
  '%s does not start with a removed setting, and says for each what to do',
  async (name) => {
    const removed = Object.entries((await loadRemovedSettings()).get(name) ?? {});
    expect(removed).not.toEqual([]);
    const old = Object.fromEntries(removed.map(([setting]) => [setting, 'needle']));
    const { code, stderr } = await start(name, { ...environmentOf(name, DEVELOPMENT_STACK), ...old });
    const faults = removed.map(([setting, advice]) => `  ${setting}: is no longer a setting, so ${advice}\n`);
    expect([code, stderr]).toEqual([1, `configuration: ${faults.length} fault(s)\n${faults.join('')}`]);
  },
);

it('has no removed setting that exists, and none in documents, manifests and compose', async () => {
  const settings = await loadSettings();
  const removed = [...(await loadRemovedSettings())].flatMap(([service, names]) =>
    Object.keys(names).map((name) => ({ service, name })),
  );
  expect(
    removed.filter(({ service, name }) => settings.get(service)?.some((setting) => setting.name === name)),
  ).toEqual([]);
  const texts = PLACES_OF_SETTINGS.flatMap(filesBelow).map(
    (path) => [path, readFileSync(`${ROOT}${path}`, 'utf8')] as const,
  );
  const named = new RegExp(`\\b(${removed.map(({ name }) => name).join('|')})(_FILE)?\\b`);
  expect(texts.map(([path, text]) => [path, named.exec(text)?.[0]]).filter(([, name]) => name)).toEqual([]);
});

const PLACES_OF_SETTINGS = ['docker-compose.yml', 'README.md', 'apps', 'docs', 'infra', 'packages'];

/** Documents and deployment files; without decisions, which are history, and the list of removed settings. */
function filesBelow(path: string): string[] {
  if (/node_modules|dist$|docs\/adr|operations\/(settings|upgrade)\.md/.test(path)) return [];
  if (statSync(`${ROOT}${path}`).isDirectory())
    return readdirSync(`${ROOT}${path}`).flatMap((name) => filesBelow(`${path}/${name}`));
  return /\.(md|ya?ml|env|json|conf)$/.test(path) ? [path] : [];
}

function start(name: ServiceName, env: NodeJS.ProcessEnv): Promise<{ code: unknown; stderr: string }> {
  return new Promise((resolve) =>
    execFile(
      process.execPath,
      [`${ROOT}apps/${name}/dist/main.js`],
      { env: { PATH: process.env.PATH, ...env } },
      (err, _stdout, stderr) => resolve({ code: err?.code, stderr }),
    ),
  );
}
