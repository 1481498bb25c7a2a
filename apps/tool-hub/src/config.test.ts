import { fileURLToPath } from 'node:url';
import { beforeAll, describe, expect, it } from '@jest/globals';
import { ConfigError, describeSettings } from '@legate/service';
import { configFaults, createTestCa, namesAtFault, type TestCa } from '@legate/service/testing';
import { createPrivateJwk } from '@legate/testing';
import { Environment, loadConfig } from './config.ts';
import { hubCredentials } from './platform/hub-credentials.ts';

const development = (file: string) =>
  fileURLToPath(new URL(`../../../infra/development/${file}`, import.meta.url));

const ENV = {
  IDP_ISSUER: 'https://idp.example/',
  IDP_CLIENT_ID: 'tool-hub',
  IDP_CLIENT_SECRET: 'a-secret-value',
  CONNECTORS_FILE: development('connectors.json'),
};

const KEYS = JSON.stringify({
  keys: [
    {
      ...createPrivateJwk({ namedCurve: 'P-256' }),
      kid: 'a',
    },
  ],
});

it('authenticates to the identity provider with keys, if it has any', () => {
  const config = loadConfig({ ...ENV, IDP_CLIENT_SECRET: '', IDP_CLIENT_KEYS: KEYS });
  const privateJwk = expect.objectContaining({ kid: 'a', alg: 'ES256' });
  expect(hubCredentials(config)).toEqual({
    method: 'private_key_jwt',
    privateJwk,
    assertionAudience: 'issuer',
  });
  expect(hubCredentials(loadConfig(ENV))).toEqual({
    method: 'client_secret',
    clientSecret: 'a-secret-value',
  });
});

it.each([
  [{ IDP_KIND: 'entra' }, 'token_endpoint'],
  [{ IDP_KIND: 'entra', IDP_CLIENT_ASSERTION_AUDIENCE: 'issuer' }, 'issuer'],
])('signs assertions for the audience of the kind unless a setting names one: %j', (env, audience) => {
  const config = loadConfig({ ...ENV, IDP_CLIENT_SECRET: '', IDP_CLIENT_KEYS: KEYS, ...env });
  expect(hubCredentials(config)).toMatchObject({ assertionAudience: audience });
});

describe('a certificate for the identity provider', () => {
  let ca: TestCa;
  beforeAll(async () => {
    ca = await createTestCa();
  });
  const withCertificate = (pem: string, method = '') => ({
    ...ENV,
    IDP_CLIENT_SECRET: '',
    IDP_CLIENT_CERTIFICATE: pem,
    IDP_TOKEN_ENDPOINT_AUTH_METHOD: method,
  });

  it('is used for `tls_client_auth` unless it is self-signed', async () => {
    const { bundle } = await ca.issue('hub');
    const methodOf = (method?: string) => hubCredentials(loadConfig(withCertificate(bundle, method)));
    expect([methodOf(), methodOf('tls_client_auth'), methodOf('self_signed_tls_client_auth')]).toEqual([
      { method: 'tls_client_auth' },
      { method: 'tls_client_auth' },
      { method: 'self_signed_tls_client_auth' },
    ]);
  });

  it.each<[string, () => Promise<string>, string]>([
    ['has expired', async () => (await ca.issue('hub', { expired: true })).bundle, 'expired at 2020-01-01T'],
    ['has no private key', async () => (await ca.issue('hub')).certificate, 'needs exactly one private key'],
    [
      'has the private key of another',
      async () => (await ca.issue('hub')).certificate + ca.privateKey,
      'does not belong to the private key',
    ],
    ['is no PEM', async () => 'a-secret-value', 'has no certificate in PEM'],
  ])('is refused if it %s, without showing it', async (_case, pem, fault) => {
    const text = await pem();
    expect(configFaults(() => loadConfig(withCertificate(text)))).toEqual([
      expect.stringMatching(`^IDP_CLIENT_CERTIFICATE: .*${fault}`),
    ]);
  });
});

it('keeps the issuer unchanged, and by default accepts only ID tokens issued to itself', () => {
  const config = loadConfig(ENV);
  expect([config.IDP_ISSUER, config.PORT, config.ACCEPTED_AUDIENCES]).toEqual([
    'https://idp.example/',
    4001,
    undefined,
  ]);
  expect(loadConfig({ ...ENV, ACCEPTED_AUDIENCES: 'a, b' }).ACCEPTED_AUDIENCES).toEqual(['a', 'b']);
});

it('reads the pages of RETURN_TO like management-api, and ignores the clients in it', () => {
  const RETURN_TO = 'https://app.example/welcome?from=hub|frontend-app, http://localhost:5173';
  expect(loadConfig({ ...ENV, RETURN_TO }).RETURN_TO).toEqual([
    'https://app.example/welcome?from=hub',
    'http://localhost:5173',
  ]);
  const fault = expect.stringMatching(/^RETURN_TO/);
  expect(configFaults(() => loadConfig({ ...ENV, RETURN_TO: 'javascript:alert(1)' }))).toEqual([fault]);
});

it('uses the connectors of the management API instead of a file', () => {
  const config = loadConfig({ ...ENV, CONNECTORS_FILE: '', MANAGEMENT_API_URL: 'https://api.example' });
  expect([config.MANAGEMENT_API_URL, config.WORKLOADS.size, config.REQUIRE_AGENT]).toEqual([
    'https://api.example',
    0,
    false,
  ]);
});

it.each<[string, NodeJS.ProcessEnv, string]>([
  [
    'Redis without encryption keys',
    { REDIS_URL: 'redis://localhost' },
    'ENCRYPTION_KEYS: required with REDIS_URL',
  ],
  ['encryption keys of the wrong length', { ENCRYPTION_KEYS: 'a:a-secret-value' }, 'ENCRYPTION_KEYS: '],
  [
    'two rules for organizations',
    { ORGANIZATION_CLAIM: 'org_id', ORGANIZATION_RULE: '{"fixed":"org_acme"}' },
    'ORGANIZATION_CLAIM, ORGANIZATION_RULE: one of them',
  ],
  ['no rule for a provider that names no organization', { IDP_KIND: 'okta' }, 'ORGANIZATION_RULE: required'],
  [
    'a rule with a value that is no organization',
    { ORGANIZATION_RULE: '{"claim":"tid","map":{"a":"a-secret-value:"}}' },
    'ORGANIZATION_RULE.map: must be 1 to 128',
  ],
  ['no client secret', { IDP_CLIENT_SECRET: '' }, 'IDP_CLIENT_SECRET'],
  ['a client secret and keys', { IDP_CLIENT_KEYS: KEYS }, 'IDP_CLIENT_SECRET, IDP_CLIENT_KEYS: one of them'],
  [
    'keys without kid',
    { IDP_CLIENT_SECRET: '', IDP_CLIENT_KEYS: KEYS.replace('kid', 'kit') },
    'IDP_CLIENT_KEYS: has a key without kid',
  ],
  [
    'a way to send a secret that there is not',
    { IDP_CLIENT_SECRET: '', IDP_CLIENT_KEYS: KEYS, IDP_TOKEN_ENDPOINT_AUTH_METHOD: 'client_secret_basic' },
    'IDP_TOKEN_ENDPOINT_AUTH_METHOD, IDP_CLIENT_KEYS: client_secret_basic needs IDP_CLIENT_SECRET instead',
  ],
  [
    'mutual TLS without a certificate',
    { IDP_TOKEN_ENDPOINT_AUTH_METHOD: 'tls_client_auth' },
    'IDP_TOKEN_ENDPOINT_AUTH_METHOD, IDP_CLIENT_SECRET: tls_client_auth needs IDP_CLIENT_CERTIFICATE instead',
  ],
  ['an issuer with a query', { IDP_ISSUER: 'https://idp.example?a' }, 'IDP_ISSUER'],
  ['no accepted audience', { ACCEPTED_AUDIENCES: ',' }, 'ACCEPTED_AUDIENCES'],
  [
    'two sources of connectors',
    { MANAGEMENT_API_URL: 'https://api.example' },
    'CONNECTORS_FILE, MANAGEMENT_API_URL',
  ],
  ['no source of connectors', { CONNECTORS_FILE: '' }, 'CONNECTORS_FILE, MANAGEMENT_API_URL'],
  ['workloads without scopes', { WORKLOADS: 'management-api' }, 'WORKLOADS'],
  [
    'a scope that no path of the hub requires',
    { WORKLOADS: 'management-api=internal:revoke' },
    'WORKLOADS: may grant only the scopes internal:revocations',
  ],
])('refuses %s, without showing a value', (_case, change, fault) => {
  const load = () => loadConfig({ ...ENV, ...change });
  expect(load).toThrow(ConfigError);
  expect(load).toThrow(fault);
  expect(load).not.toThrow('a-secret-value');
});

const faultsOf = (env: NodeJS.ProcessEnv) => configFaults(() => loadConfig(env));

it('describes every setting', () => {
  expect(describeSettings(Environment)).toHaveLength(Object.keys(Environment.shape).length);
});

it('reports two ways to authenticate beside a method that there is not', () => {
  const env = { ...ENV, IDP_CLIENT_KEYS: KEYS, IDP_TOKEN_ENDPOINT_AUTH_METHOD: 'none' };
  expect(namesAtFault(faultsOf(env))).toEqual([
    'IDP_CLIENT_SECRET, IDP_CLIENT_KEYS',
    'IDP_TOKEN_ENDPOINT_AUTH_METHOD',
  ]);
});

it('reports every fault at once: of variables, of their combination, and of production', () => {
  const faults = faultsOf({
    NODE_ENV: 'production',
    IDP_ISSUER: 'http://idp.example',
    IDP_CLIENT_SECRET: 'tool-hub-dev-secret',
    MANAGEMENT_API_URL: 'x',
    CONNECTORS_FILE: development('connectors.json'),
    TRANSACTION_TOKENS_FILE: 'absent.json',
    REDIS_URL: 'redis://redis.example',
    REQUIRE_AGENT: 'maybe',
  });
  expect(namesAtFault(faults)).toEqual([
    development('connectors.json'),
    'CONNECTORS_FILE, MANAGEMENT_API_URL',
    'ENCRYPTION_KEYS',
    'IDP_CLIENT_ID',
    'IDP_CLIENT_SECRET',
    'IDP_ISSUER',
    'MANAGEMENT_API_URL',
    'PUBLIC_URL',
    'REQUIRE_AGENT',
    'SIGNING_KEYS',
    'TRUSTED_PROXIES',
    'WORKLOADS',
    'absent.json',
  ]);
});

describe('in production', () => {
  const SAFE = {
    NODE_ENV: 'production',
    PUBLIC_URL: 'https://hub.example',
    IDP_ISSUER: 'https://idp.example',
    IDP_CLIENT_ID: 'tool-hub',
    IDP_CLIENT_SECRET: 'kX3-0qLr8vTz5mWb7nYc',
    MANAGEMENT_API_URL: 'https://api.example',
    WORKLOADS: 'management-api=internal:revocations',
    REDIS_URL: 'rediss://redis.example',
    TRUSTED_PROXIES: 'none',
    ENCRYPTION_KEYS: `k:${Buffer.from('0123456789abcdefghijklmnopqrstuv').toString('base64')}`,
  };

  it('starts with safe settings', () => {
    expect(faultsOf(SAFE)).toEqual([]);
  });

  it.each([
    ['PUBLIC_URL', ''],
    ['PUBLIC_URL', 'http://hub.example'],
    ['TRUSTED_PROXIES', ''],
    ['IDP_ISSUER', 'http://idp.example'],
    ['IDP_CLIENT_SECRET', 'tool-hub-dev-secret'],
    ['IDP_CLIENT_SECRET', 'too-short'],
    ['REDIS_URL', ''],
    ['WORKLOADS', ''],
    ['ENCRYPTION_KEYS', 'dev:bGVnYXRlLWRldmVsb3BtZW50LWVuY3J5cHRpb24ta2U='],
    ['CONNECT_TO', 'a:1=b:2'],
    ['OUTBOUND_ALLOW', 'loopback'],
  ])('refuses %s=%s by name', (name, value) => {
    expect(faultsOf({ ...SAFE, [name]: value })).toEqual([
      expect.stringMatching(new RegExp(`^${name}: .*production`)),
    ]);
  });

  it('requires no workloads if its connectors come from a file', () => {
    const connectors = { MANAGEMENT_API_URL: '', CONNECTORS_FILE: development('connectors.json') };
    expect(namesAtFault(faultsOf({ ...SAFE, ...connectors, WORKLOADS: '' }))).not.toContain('WORKLOADS');
  });

  it('requires keys for transaction tokens if it issues them, and refuses the keys of the development setup', () => {
    const path = development('transaction-tokens.json');
    const faults = faultsOf({ ...SAFE, TRANSACTION_TOKENS_FILE: path });
    expect(namesAtFault(faults)).toEqual([path, 'SIGNING_KEYS']);
  });

  it.each([
    ['true', ['SIGNING_KEYS']],
    ['false', []],
  ])('requires keys for actor tokens if it signs them: %s', (signs, missing) => {
    expect(namesAtFault(faultsOf({ ...SAFE, IDP_ACTOR_TOKENS: signs }))).toEqual(missing);
  });
});
