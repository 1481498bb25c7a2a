import { expect, it } from '@jest/globals';
import type { KindName } from '@legate/identity-providers';
import { TOKEN_TYPE } from '@legate/oauth';
import {
  examineFake,
  NOW_SECONDS,
  RESOURCE,
  refusal,
  type Sent,
  signIdToken,
  signingKeys,
  WITH_CLIENT,
} from './testing/fake-provider.ts';

const tokens = { idToken: await signIdToken({ oid: 'oid_alice' }), accessToken: 'the-access-token' };
const sign = (claims: object) =>
  signingKeys.sign({ sub: 'user_alice', exp: NOW_SECONDS + 60, ...claims }, { typ: 'JWT' });

async function examine(answer: object, target: Parameters<typeof examineFake>[0] = {}) {
  const token = ({ form }: Sent) =>
    form.has('assertion') || form.get('requested_token_type') === TOKEN_TYPE.accessToken
      ? { token_type: 'Bearer', ...answer }
      : refusal('invalid_grant');
  return examineFake({ ...WITH_CLIENT, kind: 'keycloak', tokens, ...target }, { token });
}

it.each([
  ['another API', 'mcp-api', 'mcp-api', 'ok', 'false'],
  ['exactly the resource', RESOURCE, RESOURCE, 'ok', 'true'],
  ['the resource and others', [RESOURCE, 'other'], RESOURCE, 'ok', 'false'],
  ['an audience that was not asked for', 'other', 'mcp-api', 'warn', 'false'],
])('says whether the token is for %s', async (_case, aud, audience, status, scoped) => {
  const { leg, report } = await examine({ access_token: await sign({ aud }) }, { audience });
  expect(leg('token_exchange')).toMatchObject({
    status,
    evidence: { flavour: 'token-exchange', aud: [aud].flat(), audience_scoped: scoped },
  });
  expect(JSON.stringify(report)).not.toContain('the-access-token');
});

it('names an audience that is a GUID', async () => {
  const aud = '2b1f0c9e-6d0a-4c1b-9d5e-0f4b7f1c2a33';
  const answer = { access_token: await sign({ aud }) };
  const { leg } = await examine(answer, { audience: `api://${aud}` });
  expect(leg('token_exchange')).toMatchObject({
    remedy: expect.stringContaining(`"token_audience" of the connector to ${aud}.`),
    evidence: { aud: [aud] },
  });
});

it('cannot say for whom an opaque token is', async () => {
  const { leg, report } = await examine({ access_token: 'an-opaque-access-token' });
  expect(leg('token_exchange')).toMatchObject({ status: 'warn', evidence: { audience_scoped: 'unknown' } });
  expect(JSON.stringify(report)).not.toContain('an-opaque-access-token');
});

it('asks on behalf of the user where the kind does so', async () => {
  const access_token = await sign({ aud: 'api://mcp', oid: 'oid_alice' });
  const { leg, sent } = await examine({ access_token }, { kind: 'entra', audience: 'api://mcp' });
  expect(leg('token_exchange')).toMatchObject({ status: 'ok', evidence: { flavour: 'on-behalf-of' } });
  expect(Object.fromEntries(sent.at(-1)?.form ?? [])).toMatchObject({
    assertion: 'the-access-token',
    requested_token_use: 'on_behalf_of',
    scope: 'api://mcp/notes:read',
  });
});

it('asks on behalf of the user for scopes of the audience alone, as the hub does', async () => {
  const scopes = ['api://mcp/notes:read', 'https://other.example/read'];
  const access_token = await sign({ aud: 'api://mcp', oid: 'oid_alice' });
  const { sent } = await examine({ access_token }, { kind: 'entra', audience: 'api://mcp', scopes });
  expect(sent.at(-1)?.form.get('scope')).toBe('api://mcp/notes:read api://mcp/https://other.example/read');
});

it('fails if the token is of another user', async () => {
  const { leg } = await examine({ access_token: await sign({ sub: 'user_mallory' }) });
  expect(leg('token_exchange')).toMatchObject({ status: 'fail', detail: 'The token is of another user.' });
});

it('fails without a bearer token', async () => {
  const { leg } = await examine({ access_token: 'x', token_type: 'DPoP' });
  expect(leg('token_exchange').status).toBe('fail');
});

it.each([
  ['keycloak', 'fail'],
  ['generic', 'warn'],
] as const)('reports a refusal of %s as %s', async (kind, status) => {
  const { leg } = await examineFake(
    { ...WITH_CLIENT, kind, tokens },
    { token: () => refusal('access_denied', { error_description: 'Client not within the token audience' }) },
  );
  expect(leg('token_exchange')).toMatchObject({
    status,
    detail: 'The provider exchanges no token: access_denied (Client not within the token audience).',
  });
});

it.each<[KindName, string, object, RegExp]>([
  ['entra', 'invalid_grant', { error_codes: [65001] }, /consent/],
  ['entra', 'invalid_grant', { suberror: 'consent_required' }, /consent/],
  ['entra', 'invalid_grant', { error_codes: [500131] }, /another audience than the hub/],
  ['entra', 'invalid_grant', { error_codes: [50105] }, /Assign the user/],
  ['entra', 'invalid_grant', { error_codes: [28002] }, /exchange_audience/],
  ['entra', 'invalid_grant', { error_codes: [50196] }, /later/],
  ['entra', 'interaction_required', { error_codes: [50076] }, /Sign in again/],
  ['keycloak', 'invalid_client', { error_description: 'Audience not found' }, /exchange_audience/],
  ['keycloak', 'invalid_request', { error_description: 'Invalid token' }, /Sign in again/],
  ['keycloak', 'invalid_target', {}, /Register the audience/],
  ['keycloak', 'access_denied', {}, /policy/],
  ['keycloak', 'unsupported_grant_type', {}, /--kind/],
  ['keycloak', 'unheard_of', {}, /documents of the provider/],
])('names the cause that the hub names: %s, %s %j', async (kind, error, details, remedy) => {
  const token = ({ form }: Sent) =>
    form.has('assertion') || form.get('requested_token_type') === TOKEN_TYPE.accessToken
      ? refusal(error, details)
      : refusal('invalid_grant');
  const { leg } = await examineFake({ ...WITH_CLIENT, kind, tokens }, { token });
  expect(leg('token_exchange')).toMatchObject({ status: 'fail', remedy: expect.stringMatching(remedy) });
});

it.each([
  [{ kind: 'google' }, 'exchanges no access tokens'],
  [{ audience: undefined }, 'Needs --audience'],
  [{ tokens: { idToken: tokens.idToken } }, 'Needs the access token'],
  [{ clientId: undefined }, 'Needs --client-id'],
] as const)('says what is missing with %j', async (target, missing) => {
  const { leg } = await examine({}, target);
  expect([leg('token_exchange').status, leg('token_exchange').detail]).toEqual([
    'skipped',
    expect.stringContaining(missing),
  ]);
});
