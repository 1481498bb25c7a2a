import { beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import {
  boundedIdToken,
  createSigningKeys,
  type IdTokenClaims,
  type SigningKeys,
  type TokenProfile,
  type TrustedIssuer,
  tokenId,
} from '@legate/jwt';
import { Problem } from '@legate/service';
import { createTestClock, START, type TestClock } from '@legate/service/testing';
import { createLocalJWKSet } from 'jose';
import { createCallerVerifier, type VerifyCaller } from './verify-caller.ts';
import { createIdTokenVerifier } from './verify-id-token.ts';

const NOW = START.getTime() / 1000;
const ISSUER = 'https://idp.example';

let keys: SigningKeys;
let clock: TestClock;
let verify: VerifyCaller;
let organizationClaim: string;
let profile: TokenProfile<IdTokenClaims>;

beforeAll(async () => {
  keys = await createSigningKeys({ alg: 'RS256', clock: () => START });
});

beforeEach(() => {
  clock = createTestClock();
  organizationClaim = 'organization_id';
  profile = boundedIdToken();
  verify = callerVerifier(createLocalJWKSet(keys.publicJwks()));
});

/** The session of the handle `session-of-alice`, without a store. */
let idTokenOfSession: string;

const callerVerifier = (issuerKeys: TrustedIssuer['keys']): VerifyCaller =>
  createCallerVerifier({
    verifyIdToken: createIdTokenVerifier({
      issuer: { issuer: ISSUER, keys: issuerKeys },
      audiences: ['frontend-app', 'tool-hub'],
      organizationClaim,
      profile,
      clock,
    }),
    sessions: {
      isHandle: (token) => token === 'session-of-alice',
      find: async () => ({ idToken: idTokenOfSession, session: { key: 'session:1' } }),
    },
  });

const mint = (claims: Record<string, unknown> = {}, typ = 'JWT') =>
  keys.sign(
    {
      iss: ISSUER,
      sub: 'user_alice',
      aud: 'frontend-app',
      organization_id: 'org_acme',
      iat: NOW,
      exp: NOW + 3600,
      ...claims,
    },
    { typ },
  );

async function refusal(authorization: string | undefined): Promise<Problem> {
  const err: unknown = await verify(authorization).then(
    () => undefined,
    (thrown: unknown) => thrown,
  );
  if (err instanceof Problem) return err;
  throw new Error('was not refused with a problem');
}

it('sees a fault of ours, and not an invalid token, where there is one', async () => {
  const verifyIdToken = createIdTokenVerifier({
    issuer: { issuer: ISSUER, keys: createLocalJWKSet(keys.publicJwks()) },
    ...{ audiences: ['frontend-app'], organizationClaim, profile },
    clock: () => {
      throw new TypeError('a fault of ours');
    },
  });
  await expect(verifyIdToken(await mint())).rejects.toThrow(new TypeError('a fault of ours'));
});

it("is the ID token's subject, in the organization that the token names", async () => {
  const subjectToken = await mint();
  expect(await verify(`Bearer ${subjectToken}`)).toEqual({
    userId: 'user_alice',
    organizationId: 'org_acme',
    subjectToken,
    subjectTokenId: tokenId(subjectToken),
    audiences: ['frontend-app'],
    authentication: { client: 'frontend-app' },
    signIn: { issuedAt: NOW, expiresAt: NOW + 3600 },
  });
});

it('has the session at the identity provider, if the token names one', async () => {
  const sidOf = async (sid: unknown) => (await verify(`Bearer ${await mint({ sid })}`)).signIn?.sid;
  expect([await sidOf('sign-in-1'), await sidOf(7), await sidOf(['a'])]).toEqual([
    'sign-in-1',
    undefined,
    undefined,
  ]);
});

it('is the same object each time for the same token', async () => {
  const authorization = `Bearer ${await mint()}`;
  const first = await verify(authorization);
  expect(await verify(authorization)).toEqual(first);
});

it.each([
  ['several accepted clients', { aud: ['frontend-app', 'tool-hub'], azp: 'frontend-app' }],
  ['the hub itself', { aud: 'tool-hub' }],
])('may present an ID token for %s', async (_case, claims) => {
  await expect(verify(`Bearer ${await mint(claims)}`)).resolves.toMatchObject({ userId: 'user_alice' });
});

it('may write the scheme in any case', async () => {
  await expect(verify(`bEaReR ${await mint()}`)).resolves.toBeDefined();
});

it.each([[undefined], ['Basic abc'], ['']])(
  'is asked for credentials, without an error, for %j',
  async (authorization) => {
    const { status, code, headers } = await refusal(authorization);
    expect([status, code, headers['WWW-Authenticate']]).toEqual([
      401,
      'token_missing',
      'Bearer realm="tool-hub"',
    ]);
  },
);

it.each([['Bearer'], ['Bearer a b'], ['Bearer {"a":1}'], ['Bearer garbage'], ['Bearer a.b.c']])(
  'is refused for %j',
  async (authorization) => {
    const { status, code, headers } = await refusal(authorization);
    expect([status, code]).toEqual([401, 'token_invalid']);
    expect(headers['WWW-Authenticate']).toMatch(/^Bearer realm="tool-hub", error="invalid_token"/);
  },
);

describe('is refused with', () => {
  it.each<[string, Record<string, unknown>, string?]>([
    ['an access token', {}, 'at+jwt'],
    ['an ID-JAG', {}, 'oauth-id-jag+jwt'],
    ['a transaction token', {}, 'txntoken+jwt'],
    ['a logout token', { sid: 's', events: { 'http://schemas.openid.net/event/backchannel-logout': {} } }],
    ["another client's ID token", { aud: 'other-app' }],
    ['an ID token that a stranger may use too', { aud: ['frontend-app', 'other-app'] }],
    ['an ID token that was given to a stranger', { azp: 'other-app' }],
    ["another issuer's ID token", { iss: 'https://evil.example' }],
    ['an ID token of tomorrow', { iat: NOW + 86_400, exp: NOW + 90_000 }],
    ['an ID token without end', { exp: undefined }],
    ['an ID token about nobody', { sub: undefined }],
  ])('%s', async (_case, claims, typ = 'JWT') => {
    const { status, code } = await refusal(`Bearer ${await mint(claims, typ)}`);
    expect([status, code]).toEqual([401, 'token_invalid']);
  });

  it('a foreign signature', async () => {
    const others = await createSigningKeys({ alg: 'RS256', clock });
    const [header, payload] = (await mint()).split('.');
    const forged = (await others.sign({}, { typ: 'JWT' })).split('.')[2];
    expect(await refusal(`Bearer ${header}.${payload}.${forged}`)).toMatchObject({
      status: 401,
      code: 'token_invalid',
    });
  });

  it('an expired ID token, even if it was just valid', async () => {
    const token = await mint({ exp: NOW + 10 });
    await verify(`Bearer ${token}`);
    clock.advanceSeconds(16);
    expect(await refusal(`Bearer ${token}`)).toMatchObject({ status: 401, code: 'token_expired' });
  });

  it('without an organization', async () => {
    const token = await mint({ organization_id: undefined });
    expect(await refusal(`Bearer ${token}`)).toMatchObject({ status: 403, code: 'organization_id_required' });
  });

  it('a user id that could collide with the cache key of another user', async () => {
    const token = await mint({ sub: 'con_tools:user_bob' });
    expect(await refusal(`Bearer ${token}`)).toMatchObject({ status: 403, code: 'user_id_unsupported' });
  });
});

it('is the user in the ID token of the session, and marked as using a session', async () => {
  idTokenOfSession = await mint();
  expect(await verify('Bearer session-of-alice')).toMatchObject({
    userId: 'user_alice',
    subjectToken: idTokenOfSession,
    session: { key: 'session:1' },
  });
});

it('acts in the organization of another claim only if that is configured', async () => {
  organizationClaim = 'org_id';
  verify = callerVerifier(createLocalJWKSet(keys.publicJwks()));
  const named = await mint({ org_id: 'org_globex' });
  expect(await verify(`Bearer ${named}`)).toMatchObject({ organizationId: 'org_globex' });
  expect(await refusal(`Bearer ${await mint()}`)).toMatchObject({ code: 'organization_id_required' });
  expect(await refusal(`Bearer ${await mint({ org_id: 'a:b' })}`)).toMatchObject({ code: 'token_invalid' });
});

it.each([
  ['a scope', { scope: 'openid api' }],
  ['an empty scope', { scope: '' }],
  ['scp', { scp: ['api'] }],
  ['client_id', { client_id: 'frontend-app' }],
  ['token_use access', { token_use: 'access' }],
  ['the claim typ Bearer', { typ: 'Bearer' }],
  ['the claim typ at+jwt', { typ: 'at+jwt' }],
  ['a claim typ that is no string', { typ: 1 }],
])('is refused with an access token: one with %s', async (_case, claims) => {
  expect(await refusal(`Bearer ${await mint(claims)}`)).toMatchObject({ status: 401, code: 'token_invalid' });
});

it.each([{ typ: 'ID' }, { token_use: 'id' }])('is accepted with an ID token that has: %j', async (claims) => {
  expect(await verify(`Bearer ${await mint(claims)}`)).toMatchObject({ userId: 'user_alice' });
});

it('is accepted with permitted claims of access tokens, and no others', async () => {
  profile = boundedIdToken({ allowedMarks: ['client_id', 'scope'] });
  verify = callerVerifier(createLocalJWKSet(keys.publicJwks()));
  const token = await mint({ client_id: 'frontend-app', scope: 'openid' });
  expect(await verify(`Bearer ${token}`)).toMatchObject({ userId: 'user_alice' });
  const other = await mint({ client_id: 'frontend-app', scp: 'openid' });
  expect(await refusal(`Bearer ${other}`)).toMatchObject({ code: 'token_invalid' });
});

it('is refused with an ID token that lives longer than a day, or than configured', async () => {
  expect(await verify(`Bearer ${await mint({ exp: NOW + 86_400 })}`)).toMatchObject({ userId: 'user_alice' });
  expect(await refusal(`Bearer ${await mint({ exp: NOW + 86_401 })}`)).toMatchObject({
    code: 'token_invalid',
  });
  profile = boundedIdToken({ maxLifetimeSeconds: 600 });
  verify = callerVerifier(createLocalJWKSet(keys.publicJwks()));
  expect(await refusal(`Bearer ${await mint({ exp: NOW + 601 })}`)).toMatchObject({ code: 'token_invalid' });
});

it('is refused if the ID token of the session is no longer accepted', async () => {
  idTokenOfSession = await mint({ aud: 'other-app' });
  expect(await refusal('Bearer session-of-alice')).toMatchObject({ status: 401, code: 'token_invalid' });
});

it('gets an outage while the keys of the issuer are unavailable', async () => {
  verify = callerVerifier(() => Promise.reject(new TypeError('fetch failed')));
  const problem = await refusal(`Bearer ${await mint()}`);
  expect([problem.status, problem.code, problem.headers['Retry-After']]).toEqual([
    503,
    'idp_unavailable',
    '5',
  ]);
});

it('never has the token in the message or log of a refusal', async () => {
  const token = await mint({ aud: 'other-app' });
  const { message, detail, headers, cause } = await refusal(`Bearer ${token}`);
  expect(JSON.stringify([message, detail, headers, String(cause)])).not.toContain(token);
});
