import { writeFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { createSigningKeys } from '@legate/jwt';
import { describeSettings } from '@legate/service';
import { configFaults, namesAtFault } from '@legate/service/testing';
import { Environment, loadConfig } from './config.ts';
import { PERSONALITIES, PERSONALITY_NAMES } from './personalities/personalities.ts';

const DEVELOPMENT = fileURLToPath(
  new URL('../../../infra/development/identity-provider.json', import.meta.url),
);
let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'mock-idp-'));
});
afterAll(() => rm(folder, { recursive: true }));

const write = (name: string, content: unknown): string => {
  const path = join(folder, name);
  writeFileSync(path, JSON.stringify(content));
  return path;
};

const faultsOf = (env: NodeJS.ProcessEnv) => configFaults(() => loadConfig(env));

describe('the development configuration', () => {
  it('is valid, and variables can change its addresses', () => {
    const { directory } = loadConfig({
      CONFIG_FILE: DEVELOPMENT,
      REFERENCE_MCP_SERVER_URL: 'http://localhost:9003',
    });
    expect(directory.users.map(({ id, email }) => [id, email])).toEqual([
      ['user_alice', 'alice@acme.example'],
      ['user_bob', 'bob@acme.example'],
      ['user_carol', 'carol@globex.example'],
      ['user_dave', 'dave@newco.example'],
      ['user_erin', 'erin@initech.example'],
    ]);
    expect(directory.resource_servers.map(({ resource }) => resource)).toEqual([
      'http://localhost:9003',
      'http://localhost:4000',
      'http://localhost:4001',
    ]);
  });

  it('is refused in production, like mock-idp as a whole', () => {
    const IDP_ISSUER = 'https://idp.example';
    expect(
      faultsOf({ CONFIG_FILE: DEVELOPMENT, NODE_ENV: 'production', IDP_ISSUER, TRUSTED_PROXIES: 'none' }),
    ).toEqual([
      `${DEVELOPMENT}: a development configuration is refused in production`,
      expect.stringMatching(/^NODE_ENV: mock-idp is for development/),
    ]);
  });
});

it('reports what production forbids together with all other faults', () => {
  const faults = faultsOf({
    NODE_ENV: 'production',
    PORT: 'x',
    CONFIG_FILE: DEVELOPMENT,
    IDP_ISSUER: 'http://idp.example',
    IDP_ADMIN_API_KEY: 'mock-idp-dev-admin-key',
    CONNECT_TO: 'a:1=b:2',
    OUTBOUND_ALLOW: 'loopback',
  });
  expect(namesAtFault(faults)).toEqual(
    [
      DEVELOPMENT,
      'IDP_ADMIN_API_KEY',
      'CONNECT_TO',
      'IDP_ISSUER',
      'NODE_ENV',
      'OUTBOUND_ALLOW',
      'PORT',
      'TRUSTED_PROXIES',
    ].sort(),
  );
});

it('reports the faults of the file together with those of the variables', () => {
  const CONFIG_FILE = write('with-others.json', { surprise: true });
  const faults = faultsOf({ CONFIG_FILE, PORT: 'x' }).join('\n');
  expect(faults).toContain('PORT');
  expect(faults).toContain('surprise');
});

it('describes every setting', () => {
  expect(describeSettings(Environment)).toHaveLength(Object.keys(Environment.shape).length);
});

it('names all invalid variables at once, without their values', () => {
  const faults = faultsOf({
    IDP_ISSUER: 'http://localhost:4002/path',
    IDP_ADMIN_API_KEY: 'too-short',
    SIGNING_KEYS: '{"keys":[{"kty":"oct","k":"needle"}]}',
    REDIS_URL: 'http://needle',
  });
  expect(namesAtFault(faults)).toEqual([
    'CONFIG_FILE',
    'IDP_ADMIN_API_KEY',
    'IDP_ISSUER',
    'REDIS_URL',
    'SIGNING_KEYS',
  ]);
  expect(faults.join()).not.toMatch(/needle|too-short/);
});

describe('PERSONALITY', () => {
  const load = (env: NodeJS.ProcessEnv) => loadConfig({ CONFIG_FILE: DEVELOPMENT, ...env });

  it.each([
    ['okta', 'http://localhost:4002'],
    ['auth0', 'http://localhost:4002/'],
    ['keycloak', 'http://localhost:4002/realms/acme'],
    ['entra', 'http://localhost:4002/8eaef023-2b34-4da1-9baa-8bc8c9d6a490/v2.0'],
    ['workos', 'http://localhost:4002'],
    ['google', 'http://localhost:4002'],
    ['pingfederate', 'http://localhost:4002'],
    ['strict', 'http://localhost:4002'],
  ])('%s has the issuer %s by default', (PERSONALITY, issuer) => {
    expect(load({ PERSONALITY })).toMatchObject({
      issuer,
      personality: PERSONALITIES[PERSONALITY as 'okta'],
    });
  });

  it('accepts another issuer of the form that the provider uses', () => {
    const IDP_ISSUER = 'https://sso.example/realms/other';
    expect(load({ PERSONALITY: 'keycloak', IDP_ISSUER }).issuer).toBe(IDP_ISSUER);
    expect(
      load({ PERSONALITY: 'okta', IDP_ISSUER: 'https://a.example/oauth2/default' }).personality?.kind.title,
    ).toBe('Okta');
  });

  it.each([
    ['keycloak', 'https://sso.example', 'https://sso.example/realms/acme'],
    ['auth0', 'https://sso.example', 'https://sso.example/'],
    ['google', 'https://sso.example/o', 'https://sso.example'],
  ])('%s refuses the issuer %s, and shows an example of a valid one', (PERSONALITY, IDP_ISSUER, example) => {
    const faults = faultsOf({ CONFIG_FILE: DEVELOPMENT, PERSONALITY, IDP_ISSUER });
    expect(faults).toEqual([expect.stringMatching(/^IDP_ISSUER: /)]);
    expect(faults[0]).toContain(`such as ${example}`);
  });

  it('lists the known personalities when the given one is unknown', () => {
    expect(faultsOf({ CONFIG_FILE: DEVELOPMENT, PERSONALITY: 'ping' })).toEqual([
      `PERSONALITY: must be one of ${PERSONALITY_NAMES.join(', ')}`,
    ]);
  });
});

it('reads signing keys from a file', async () => {
  const keys = await createSigningKeys({ alg: 'RS256', clock: () => new Date() });
  const SIGNING_KEYS_FILE = write('keys.json', keys.privateJwks());
  const { SIGNING_KEYS } = loadConfig({ CONFIG_FILE: DEVELOPMENT, SIGNING_KEYS_FILE });
  expect(SIGNING_KEYS?.keys[0]?.kid).toBe(keys.publicJwks().keys[0]?.kid);
});

/** Valid references to entries that do not exist. */
const DANGLING = {
  membership: { user: 'nobody', organization: 'nowhere' },
  client: {
    client_id: 'hub',
    client_secrets: ['a-long-enough-secret'],
    grant_types: ['client_credentials'],
    exchangeable_audiences: ['nobody'],
  },
  resourceServer: {
    accepts: 'id_jag',
    resource: 'https://x.example',
    scopes: ['a'],
    clients: { nobody: { client_id: 'y' } },
  },
};

it('reports every fault of the file at once, with its path', () => {
  const user = { id: 'u', email: 'u@x.example', name: 'U' };
  const CONFIG_FILE = write('faults.json', {
    users: [user, { ...user, id: 'u' }, { email: 'no-id@x.example', name: 'N' }],
    memberships: [DANGLING.membership],
    clients: [{ client_id: 'confidential', grant_types: ['client_credentials'] }, DANGLING.client],
    resource_servers: [DANGLING.resourceServer],
    surprise: true,
  });
  const faults = faultsOf({ CONFIG_FILE }).join('\n');
  for (const place of ['users.2.id', 'clients.0.client_secrets', 'surprise']) expect(faults).toContain(place);
});

it('refuses references in the file to entries that do not exist', () => {
  const CONFIG_FILE = write('references.json', {
    users: [
      { id: 'u', email: 'u@x.example', name: 'U' },
      { id: 'v', email: 'u@x.example', name: 'V' },
    ],
    memberships: [DANGLING.membership],
    policies: [
      { id: 'p1', effect: 'deny', match: { users: ['u', 'U@x.example', 'nobody'] } },
      { id: 'p2', effect: 'deny', match: { organizations: ['org_nowhere'], clients: ['no-client'] } },
    ],
    clients: [
      DANGLING.client,
      { client_id: 'u', client_secrets: ['the-secret-of-u-itself'], grant_types: ['client_credentials'] },
    ],
    resource_servers: [
      DANGLING.resourceServer,
      {
        accepts: 'access_token',
        resource: 'https://y.example',
        scopes: ['a'],
        clients: { hub: { scopes: ['b'] } },
      },
    ],
  });
  const faults = faultsOf({ CONFIG_FILE }).join('\n');
  for (const place of [
    'users.1: duplicate',
    'memberships.0.user: unknown user',
    'memberships.0.organization: unknown organization',
    'policies.0.match.users: an e-mail address: name the id',
    'policies.0.match.users: unknown',
    'policies.1.match.organizations: unknown',
    'policies.1.match.clients: unknown',
    'clients.0.exchangeable_audiences: unknown client',
    'clients.1.client_id: the id of a user',
    'resource_servers.0.clients: unknown client',
    'resource_servers.1.clients: a scope that the resource server does not have',
  ])
    expect(faults).toContain(place);
});
