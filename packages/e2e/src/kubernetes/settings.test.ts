import { randomBytes } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { describeSettings } from '@legate/service';
import { createPrivateJwk } from '@legate/testing';
import type { z } from 'zod';
import * as consoleApp from '../../../../apps/console/src/config.ts';
import * as managementApi from '../../../../apps/management-api/src/config.ts';
import * as mockIdp from '../../../../apps/mock-idp/src/config.ts';
import * as referenceMcpServer from '../../../../apps/reference-mcp-server/src/config.ts';
import * as toolHub from '../../../../apps/tool-hub/src/config.ts';
import { generatedOf, INFRA, OVERLAYS, SECRETS_FOLDER } from './overlays.ts';
import { containerOf, podsOf } from './workloads.ts';

interface Program {
  readonly Environment: z.ZodObject;
  readonly load: (env: NodeJS.ProcessEnv) => unknown;
}

const PROGRAMS: Readonly<Record<string, Program>> = {
  console: { Environment: consoleApp.Environment, load: consoleApp.loadConfig },
  'management-api': { Environment: managementApi.Environment, load: managementApi.loadConfig },
  'management-api-migration': {
    Environment: managementApi.Environment,
    load: (env) => managementApi.loadDatabaseConfig(env, { login: 'owner' }),
  },
  'mock-idp': { Environment: mockIdp.Environment, load: mockIdp.loadConfig },
  'reference-mcp-server': {
    Environment: referenceMcpServer.Environment,
    load: referenceMcpServer.loadConfig,
  },
  'tool-hub': { Environment: toolHub.Environment, load: toolHub.loadConfig },
};

const programOf = (name: string): Program => {
  const program = PROGRAMS[name];
  if (!program) throw new Error(`whose settings are those of ${name}?`);
  return program;
};
/** The services of production */
const SERVING = ['management-api', 'tool-hub', 'reference-mcp-server', 'console'];
const secret = () => randomBytes(32).toString('base64');
const signingKeys = () => JSON.stringify({ keys: [createPrivateJwk({ namedCurve: 'P-256' })] });

/** Contents of the production Secrets that an operator creates: docs/operations/kubernetes.md. */
const PRODUCTION_SECRETS: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  'management-api': {
    DATABASE_URL: `postgres://management_api:${randomBytes(16).toString('hex')}@db.example.com:5432/legate`,
    REDIS_PASSWORD: secret(),
    CONNECTOR_ENCRYPTION_KEYS: `k1:${secret()}`,
    IDP_CLIENT_SECRET: secret(),
  },
  'management-api-migration': {
    MIGRATION_DATABASE_URL: `postgres://legate_owner:${randomBytes(16).toString('hex')}@db.example.com:5432/legate`,
  },
  'tool-hub': {
    REDIS_PASSWORD: secret(),
    ENCRYPTION_KEYS: `k1:${secret()}`,
    SIGNING_KEYS: signingKeys(),
    IDP_CLIENT_SECRET: secret(),
    'transaction-tokens.json': '{"workloads":[]}',
  },
  console: {
    REDIS_PASSWORD: secret(),
    ENCRYPTION_KEYS: `k1:${secret()}`,
    IDP_CLIENT_SECRET: secret(),
  },
  'reference-mcp-server': {
    REDIS_PASSWORD: secret(),
    SIGNING_KEYS: signingKeys(),
    IDP_CLIENT_SECRET: secret(),
    TRANSACTION_TOKEN_CLIENT_SECRET: secret(),
    'clients.json': JSON.stringify({ clients: [{ client_id: 'tool-hub', secrets: [secret()] }] }),
  },
};

describe.each(OVERLAYS)('%s', (overlay) => {
  const configured = [...podsOf(overlay)]
    .filter(([, pod]) => containerOf(pod).envFrom.length > 0)
    .map(([name]) => name);

  it.each(configured)('%s gets its own settings, which all exist', (name) => {
    const pod = podsOf(overlay).get(name);
    expect(pod && containerOf(pod)).toMatchObject({ envFrom: [{ configMapRef: { name } }], env: [] });
    const names = Object.keys(programOf(name).Environment.shape);
    const known = new Set(names.flatMap((setting) => [setting, `${setting}_FILE`]));
    expect(Object.keys(generatedOf(overlay, 'configMap', name)).filter((key) => !known.has(key))).toEqual([]);
  });

  it.each(configured)('%s gets its secrets only as files of its Secret', (name) => {
    const data = generatedOf(overlay, 'configMap', name);
    const secrets = describeSettings(programOf(name).Environment).filter((setting) => setting.secret);
    expect(secrets).not.toEqual([]);
    for (const { name: setting } of secrets) {
      // The URL of Redis is not a secret, because the password is in REDIS_PASSWORD.
      if (setting === 'REDIS_URL') expect(data[setting] ?? '').not.toMatch(/@/);
      else expect(data[setting] ?? '').toBe('');
      expect(data[`${setting}_FILE`] || `${SECRETS_FOLDER}/`).toMatch(new RegExp(`^${SECRETS_FOLDER}/`));
    }
  });

  it.each(configured)('%s takes these settings', (name) => {
    expect(() => programOf(name).load(environmentOf(overlay, name))).not.toThrow();
  });
});

it.each([
  ['one Redis', { REDIS_MODE: 'single', REDIS_URL: 'rediss://redis.example.com:6379' }],
  [
    'sentinels',
    {
      REDIS_MODE: 'sentinel',
      REDIS_URL: 'rediss://sentinel-0.example.com:26379,rediss://sentinel-1.example.com:26379',
      REDIS_SENTINEL_NAME: 'legate',
      REDIS_SENTINEL_PASSWORD: secret(),
    },
  ],
])("every service gets %s instead of the cluster's", (_kind, redis) => {
  for (const name of SERVING) {
    const env = { ...environmentOf('overlays/production', name), ...redis };
    expect(() => programOf(name).load(env)).not.toThrow();
  }
});

it('lists in the guide all files of the production Secrets', () => {
  const guide = readFileSync(`${INFRA}../../docs/operations/kubernetes.md`, 'utf8');
  for (const [name, files] of Object.entries(PRODUCTION_SECRETS)) {
    const [, row = ''] = new RegExp(`^ *\\| \`${name}\` \\| ([^;|]+)`, 'm').exec(guide) ?? [];
    expect([...row.matchAll(/`([^`]+)`/g)].map(([, file]) => file).sort()).toEqual(Object.keys(files).sort());
  }
});

it.each(SERVING)('%s has the setting by which it is traced', (name) => {
  const added = generatedOf('components/tracing', 'configMap', name);
  expect(Object.keys(added)).toEqual(['OTEL_EXPORTER_OTLP_ENDPOINT']);
  expect(Object.keys(programOf(name).Environment.shape)).toContain('OTEL_EXPORTER_OTLP_ENDPOINT');
});

/** The environment of a pod: the settings of its ConfigMap, and the files of its Secret, in another directory. */
function environmentOf(overlay: string, name: string): NodeJS.ProcessEnv {
  const files = overlay.includes('production')
    ? PRODUCTION_SECRETS[name]
    : generatedOf(overlay, 'secret', name);
  const folder = mkdtempSync(join(work, 'secrets-'));
  for (const [file, content] of Object.entries(files ?? {})) writeFileSync(join(folder, file), content);
  return Object.fromEntries(
    Object.entries(generatedOf(overlay, 'configMap', name)).map(([key, value]) => [
      key,
      value.replace(SECRETS_FOLDER, folder),
    ]),
  );
}

let work: string;
beforeAll(() => {
  work = mkdtempSync(join(tmpdir(), 'legate-kubernetes-'));
});
afterAll(() => rmSync(work, { recursive: true }));
