import { describe, expect, it } from '@jest/globals';
import { createSigningKeys } from '@legate/jwt';
import { createTestClock, START } from '@legate/service/testing';
import type { TokenResponse } from '../../oauth-peers/token-request.ts';
import { checkExchangedToken, type ExpectedToken } from './exchanged-token-checks.ts';

const NOW = START.getTime() / 1000;
const keys = await createSigningKeys({ alg: 'ES256', clock: createTestClock() });
const RESOURCE = 'https://tools.example/mcp';
const EXPECTED: ExpectedToken = {
  audience: 'api://tools',
  tokenAudience: 'tools-guid',
  resource: RESOURCE,
  userId: 'alice',
  userClaim: 'oid',
  clientId: 'hub',
  scopes: ['read', 'list'],
};
const jwt = (claims: object = {}) =>
  keys.sign(
    { iss: 'https://idp.example', aud: 'tools-guid', oid: 'alice', exp: NOW + 600, ...claims },
    { typ: 'JWT' },
  );
const check = async (change: Partial<TokenResponse> = {}, expected: Partial<ExpectedToken> = {}) =>
  checkExchangedToken(
    { access_token: await jwt(), token_type: 'bearer', expires_in: 3600, ...change },
    { ...EXPECTED, ...expected },
    NOW,
  );
const refusedBecause = (reason: string) => ({
  ok: false,
  reason: expect.stringMatching(new RegExp(`^identity provider: exchanged token: .*${reason}`)),
});

it('accepts a token of the user for the audience, until its own exp', async () => {
  expect(await check({ scope: 'api://tools/read' })).toMatchObject({
    ok: true,
    credential: { method: 'token-exchange', expiresAt: NOW + 600, scopes: ['read'] },
  });
});

it('takes the lifetime of the answer if it ends sooner', async () => {
  expect(await check({ expires_in: 60 })).toMatchObject({ ok: true, credential: { expiresAt: NOW + 60 } });
});

it.each<[string, string | string[], Partial<ExpectedToken>, string]>([
  ['the resource alone', RESOURCE, { tokenAudience: RESOURCE }, 'yes'],
  ['the resource alone, in a list', [RESOURCE], { tokenAudience: RESOURCE }, 'yes'],
  ['the resource and another', [RESOURCE, 'other'], { tokenAudience: RESOURCE }, 'no'],
  ['a name of the provider', 'tools-guid', {}, 'no'],
])(
  'reports whether a token is for the tool server alone: %s',
  async (_case, aud, expected, audienceScoped) => {
    expect(await check({ access_token: await jwt({ aud }) }, expected)).toMatchObject({
      ok: true,
      audienceScoped,
    });
  },
);

it.each(['opaque', 'a.b.c', 'a.b.c.d.e'])('does not know for whom the token %s is', async (access_token) => {
  expect(await check({ access_token })).toMatchObject({ ok: true, audienceScoped: 'unknown' });
});

it('names the member that decides the audience, and what it expects, as long as it is', async () => {
  const tokenAudience = '8eaf6f9f-6a0f-4c1e-9d6a-2f9d1c1b7a10';
  expect(await check({ access_token: await jwt({ aud: 'other' }) }, { tokenAudience })).toMatchObject({
    ok: false,
    why: 'token_audience',
    reason: `identity provider: exchanged token: aud does not contain token_audience of the connector, "${tokenAudience}", but is "other"`,
  });
});

it.each<[string | string[] | undefined, string]>([
  ['2f9d1c1b-6a0f-4c1e-9d6a-8eaf6f9f7a10', '"2f9d1c1b-6a0f-4c1e-9d6a-8eaf6f9f7a10"'],
  [['account', 'tools'], '"account", "tools"'],
  [['a', 'b', 'c', 'd', 'e'], '"a", "b", "c" and 2 more'],
  ['eyJhbGciOiJSUzI1NiJ9', 'a text'],
  [[], 'a list'],
  [undefined, 'missing'],
])('shows the audience that token_audience should be: %j', async (aud, found) => {
  expect(await check({ access_token: await jwt({ aud }) })).toMatchObject({
    reason: expect.stringMatching(new RegExp(`, but is ${found}$`)),
  });
});

it('finds fault with token_audience for no other reason', async () => {
  expect(await check({ access_token: await jwt({ oid: 'mallory' }) })).toMatchObject({ why: undefined });
});

it.each<[string, object, string]>([
  ['another user', { oid: 'mallory' }, "oid is not the user's"],
  ['no user', { oid: undefined }, "oid is not the user's"],
  ['a user in another claim only', { oid: undefined, sub: 'alice' }, "oid is not the user's"],
  ['another audience', { aud: 'other' }, 'aud does not contain'],
  ['no audience', { aud: undefined }, 'aud does not contain'],
  ['the past', { exp: NOW }, 'has expired'],
  ['an exp that is no number', { exp: 'soon' }, 'exp is not a number'],
  ['broader scopes', { scope: 'read admin' }, 'scope claim is broader than asked, by "?admin'],
  ['broader scopes in scp', { scp: 'api://tools/read admin' }, 'scope claim is broader'],
  ['broader scopes in a list', { scp: ['read', 'admin'] }, 'scope claim is broader'],
  ['another actor', { act: { sub: 'other-client' } }, 'act is another client'],
  [
    'an actor before which the hub acted',
    { act: { sub: 'x', act: { sub: 'hub' } } },
    'act is another client',
  ],
  ['an actor that cannot be read', { act: 'hub' }, 'act is another client'],
])('refuses a token of %s', async (_case, claims, reason) => {
  expect(await check({ access_token: await jwt(claims) })).toMatchObject(refusedBecause(reason));
});

it.each([{ sub: 'hub' }, { sub: 'hub', act: { sub: 'the-application' } }])(
  'accepts a token in which the hub acts: %j',
  async (act) => {
    expect(await check({ access_token: await jwt({ act }) })).toMatchObject({ ok: true, hasActor: true });
  },
);

describe('of the answer', () => {
  it.each<[string, Partial<TokenResponse>, string]>([
    ['another token_type', { token_type: 'dpop' }, 'token_type'],
    [
      'another issued_token_type',
      { issued_token_type: 'urn:ietf:params:oauth:token-type:id_token' },
      'issued_token_type',
    ],
    ['a token that ends the header', { access_token: 'a\r\nb' }, 'bearer token'],
    ['a broader scope', { scope: 'read admin' }, 'by "?admin'],
    ['a scope of another audience', { scope: 'api://other/read' }, 'broader'],
  ])('refuses %s', async (_case, change, reason) => {
    expect(await check(change)).toEqual(refusedBecause(reason));
  });

  it('accepts scopes about the user that a provider adds', async () => {
    expect(await check({ scope: 'email profile read' })).toMatchObject({
      ok: true,
      credential: { scopes: ['read'] },
    });
  });

  it('assumes the requested scopes if it has none', async () => {
    expect(await check()).toMatchObject({ credential: { scopes: ['read', 'list'] } });
  });

  it('accepts any scope if none was requested', async () => {
    expect(await check({ scope: 'anything' }, { scopes: [] })).toMatchObject({
      credential: { scopes: ['anything'] },
    });
  });
});

it('never quotes the token', async () => {
  const access_token = await jwt({ oid: 'mallory' });
  expect(JSON.stringify(await check({ access_token }))).not.toContain(access_token.slice(-20));
});

it('accepts whatever the provider grants for `.default`', async () => {
  const scopes = ['api://tools/.default'];
  expect(await check({ scope: 'api://tools/read api://tools/write' }, { scopes })).toMatchObject({
    ok: true,
    credential: { scopes: ['read', 'write'] },
  });
});
