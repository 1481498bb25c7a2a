import { beforeAll, describe, expect, it } from '@jest/globals';
import { createKeySet, createSigningKeys, type SigningKeys } from '@legate/jwt';
import { createLogger, problemHandler } from '@legate/service';
import express from 'express';
import request from 'supertest';
import { authenticateWorkload, requireWorkloadScope, workloadOf } from './express.ts';
import { createWorkloadVerifier } from './verify-workload.ts';

const NOW = 1_790_000_000;
const ISSUER = 'https://idp.example';
const AUDIENCE = 'https://api.example';
const clock = () => new Date(NOW * 1000);

let keys: SigningKeys;
let isIdpDown = false;
beforeAll(async () => {
  keys = await createSigningKeys({ alg: 'RS256', clock });
});

const refusals: string[] = [];

function app(organizationClaim?: string) {
  const load = async () => {
    if (isIdpDown) throw new Error('cannot be reached');
    return keys.publicJwks();
  };
  const verify = createWorkloadVerifier({
    issuer: { issuer: ISSUER, keys: createKeySet({ issuer: ISSUER, load, clock }) },
    audience: AUDIENCE,
    workloads: new Map([['tool-hub', new Set(['internal:connectors', 'internal:audit-events'])]]),
    ...(organizationClaim !== undefined && { organizationClaim }),
    clock,
  });
  const built = express();
  const onRefusal = async () => void refusals.push('refused');
  built.use(authenticateWorkload({ verify, onRefusal }));
  built.get('/connectors', requireWorkloadScope('internal:connectors'), (_req, res) => {
    res.json({ client: workloadOf(res).clientId });
  });
  built.get('/revocations', requireWorkloadScope('internal:revocations'), (_req, res) => {
    res.json({});
  });
  const log = createLogger({ service: 'test', level: 'silent' });
  built.use(problemHandler({ log, typeBase: 'https://docs.example' }));
  return built;
}

const GOOD = {
  iss: ISSUER,
  sub: 'tool-hub',
  client_id: 'tool-hub',
  aud: AUDIENCE,
  scope: 'internal:connectors',
  iat: NOW,
  exp: NOW + 3600,
  jti: 'a',
};

async function call(
  claims: Record<string, unknown>,
  typ = 'at+jwt',
  path = '/connectors',
  organizationClaim?: string,
) {
  const token = await keys.sign({ ...GOOD, ...claims }, { typ });
  return request(app(organizationClaim)).get(path).auth(token, { type: 'bearer' });
}

it('accepts a configured workload that has the scope', async () => {
  const res = await call({});
  expect([res.status, res.body]).toEqual([200, { client: 'tool-hub' }]);
  expect((await call({ aud: [AUDIENCE] })).status).toBe(200);
});

describe('refuses', () => {
  it.each<[string, Record<string, unknown>, string]>([
    ['of a user who has the scope', { sub: 'user_alice', client_id: 'frontend-app' }, 'workload_required'],
    ['of a user who signed in at the very client', { sub: 'user_alice' }, 'workload_required'],
    ['with an organization', { organization_id: 'org_acme' }, 'workload_required'],
    ['that tells of a sign-in', { auth_time: NOW }, 'workload_required'],
    ['with an e-mail address', { email: 'alice@acme.example' }, 'workload_required'],
    ['with roles', { roles: ['admin'] }, 'workload_required'],
    ['with groups', { groups: [] }, 'workload_required'],
    ['with a name', { name: 'Alice' }, 'workload_required'],
    ['that tells how somebody signed in', { amr: ['pwd'] }, 'workload_required'],
    ['that tells how well somebody signed in', { acr: '1' }, 'workload_required'],
    ['of another client', { sub: 'other', client_id: 'other' }, 'workload_unknown'],
    ['of a client of one character', { sub: 'x', client_id: 'x' }, 'workload_unknown'],
    [
      'of a client of 255 characters',
      { sub: 'x'.repeat(255), client_id: 'x'.repeat(255) },
      'workload_unknown',
    ],
    [
      'of a client named like an inherited member',
      { sub: 'constructor', client_id: 'constructor' },
      'workload_unknown',
    ],
    ['without the scope', { scope: 'internal:audit-events' }, 'insufficient_permission'],
    ['without any scope', { scope: undefined }, 'insufficient_permission'],
    ['with a scope that only begins like it', { scope: 'internal:connectors2' }, 'insufficient_permission'],
  ])('a token %s with 403', async (_case, claims, code) => {
    const res = await call(claims);
    expect([res.status, res.body.code]).toEqual([403, code]);
  });

  it('a token with an organization in the claim that the provider has for it', async () => {
    const res = await call({ org_id: 'org_acme' }, 'at+jwt', '/connectors', 'org_id');
    expect([res.status, res.body.code]).toEqual([403, 'workload_required']);
    const other = await call({ organization_id: 'org_acme' }, 'at+jwt', '/connectors', 'org_id');
    expect(other.status).toBe(200);
  });

  it('a scope that the configuration does not give the workload', async () => {
    const res = await call({ scope: 'internal:revocations' }, 'at+jwt', '/revocations');
    expect([res.status, res.body.required_scope]).toEqual([403, 'internal:revocations']);
    expect(res.get('WWW-Authenticate')).toBe(
      'Bearer error="insufficient_scope", scope="internal:revocations"',
    );
  });

  it.each<[string, Record<string, unknown>, string, string]>([
    ['an ID token', {}, 'JWT', 'token_invalid'],
    ['an ID-JAG', {}, 'oauth-id-jag+jwt', 'token_invalid'],
    ['a token for another API', { aud: 'https://other.example' }, 'at+jwt', 'token_invalid'],
    ['a token for several APIs', { aud: [AUDIENCE, 'https://other.example'] }, 'at+jwt', 'token_invalid'],
    ['a token of another issuer', { iss: 'https://evil.example' }, 'at+jwt', 'token_invalid'],
    ['a token without client_id', { client_id: undefined }, 'at+jwt', 'token_invalid'],
    ['a token whose scope is a list', { scope: ['internal:connectors'] }, 'at+jwt', 'token_invalid'],
    ['a token without sub', { sub: undefined }, 'at+jwt', 'token_invalid'],
    [
      'a token of a client of 256 characters',
      { sub: 'x'.repeat(256), client_id: 'x'.repeat(256) },
      'at+jwt',
      'token_invalid',
    ],
    ['a token of a client without a name', { sub: '', client_id: '' }, 'at+jwt', 'token_invalid'],
    ['a token without the time of its issue', { iat: undefined }, 'at+jwt', 'token_invalid'],
    ['a token of the future', { iat: NOW + 61 }, 'at+jwt', 'token_invalid'],
    ['a token without an end', { exp: undefined }, 'at+jwt', 'token_invalid'],
    ['a token that is not valid yet', { nbf: NOW + 61 }, 'at+jwt', 'token_invalid'],
    ['an expired token', { iat: NOW - 4000, exp: NOW - 61 }, 'at+jwt', 'token_expired'],
  ])('%s with 401', async (_case, claims, typ, code) => {
    refusals.length = 0;
    const res = await call(claims, typ);
    expect([res.status, res.body.code]).toEqual([401, code]);
    expect(res.get('WWW-Authenticate')).toContain('error="invalid_token"');
    expect(refusals).toEqual(code === 'token_expired' ? [] : ['refused']);
  });

  it.each(['Bearer', 'Bearer a b', 'Bearer {"a":1}'])('the malformed credentials %j', async (credentials) => {
    refusals.length = 0;
    const res = await request(app()).get('/connectors').set('Authorization', credentials);
    expect([res.status, res.body.code]).toEqual([401, 'token_invalid']);
    expect(res.get('WWW-Authenticate')).toContain('error="invalid_token"');
    expect(refusals).toEqual([]);
  });

  it('a request without a token', async () => {
    const res = await request(app()).get('/connectors');
    expect([res.status, res.body.code, res.get('WWW-Authenticate')]).toEqual([
      401,
      'token_missing',
      'Bearer',
    ]);
  });
});

it('reports an outage while the keys are unavailable', async () => {
  isIdpDown = true;
  refusals.length = 0;
  const res = await call({});
  isIdpDown = false;
  expect([res.status, res.body.code, res.get('Retry-After')]).toEqual([503, 'idp_unavailable', '5']);
  expect(refusals).toEqual([]);
});

it('caches verified tokens only', async () => {
  const verify = createWorkloadVerifier({
    issuer: {
      issuer: ISSUER,
      keys: createKeySet({ issuer: ISSUER, load: async () => keys.publicJwks(), clock }),
    },
    audience: AUDIENCE,
    workloads: new Map([['tool-hub', new Set(['internal:connectors'])]]),
    clock,
  });
  const authorization = `Bearer ${await keys.sign(GOOD, { typ: 'at+jwt' })}`;
  expect(verify.isKnown(authorization)).toBe(false);
  expect(await verify(authorization)).toEqual({
    clientId: 'tool-hub',
    scopes: new Set(['internal:connectors']),
  });
  expect(verify.isKnown(authorization)).toBe(true);
  for (const other of [undefined, 'Bearer', 'Bearer x', authorization.replace('Bearer', 'Basic')])
    expect(verify.isKnown(other)).toBe(false);
});
