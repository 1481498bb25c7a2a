import { beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import type { OrganizationRule } from '@legate/identity-providers';
import { OrganizationId, UserId } from '@legate/ids';
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
import type { TokenRefusalReason } from '../refusals/token-refusals.ts';
import { toClientToken } from './client-tokens.ts';
import type { SessionInUse } from './find-session.ts';
import { createHandle } from './session-record.ts';
import { createCallerVerifier, type VerifyCaller } from './verify-caller.ts';
import { createIdTokenVerifier } from './verify-id-token.ts';

const NOW = START.getTime() / 1000;
const ISSUER = 'https://idp.example';
const HANDLE = createHandle();
const [ACME, GLOBEX] = ['org_acme', 'org_globex'].map((id) => OrganizationId.parse(id)) as [
  OrganizationId,
  OrganizationId,
];

let keys: SigningKeys;
let clock: TestClock;
let verify: VerifyCaller;
let organizationRule: OrganizationRule;
let userClaim: string;
let profile: TokenProfile<IdTokenClaims>;

beforeAll(async () => {
  keys = await createSigningKeys({ alg: 'RS256', clock: () => START });
});

beforeEach(() => {
  clock = createTestClock();
  organizationRule = { claim: 'organization_id' };
  userClaim = 'sub';
  profile = boundedIdToken();
  ownerOfSession = { userId: UserId.parse('user_alice'), organizationId: OrganizationId.parse('org_acme') };
  verify = callerVerifier(createLocalJWKSet(keys.publicJwks()));
});

/** The session of `HANDLE`, without a store. */
let idTokenOfSession: string;

let ownerOfSession: Pick<SessionInUse, 'userId' | 'organizationId'>;

const SESSION = () => ({
  ...ownerOfSession,
  idToken: idTokenOfSession,
  endsAt: 0,
  grant: undefined,
  agentId: undefined,
  exchangeToken: undefined,
  session: { key: 'session:1' },
});

const callerVerifier = (issuerKeys: TrustedIssuer['keys']): VerifyCaller =>
  createCallerVerifier({
    verifyIdToken: createIdTokenVerifier({
      issuer: { issuer: ISSUER, keys: issuerKeys },
      audiences: ['frontend-app', 'tool-hub'],
      organizationRule,
      userClaim,
      profile,
      clock,
    }),
    sessions: {
      find: async () => SESSION(),
      findByKey: async () => SESSION(),
    },
    clients: undefined,
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

it('reports a fault of the hub as such, and not as an invalid token', async () => {
  const verifyIdToken = createIdTokenVerifier({
    issuer: { issuer: ISSUER, keys: createLocalJWKSet(keys.publicJwks()) },
    ...{ audiences: ['frontend-app'], organizationRule, userClaim, profile },
    clock: () => {
      throw new TypeError('a fault of ours');
    },
  });
  await expect(verifyIdToken(await mint())).rejects.toThrow(new TypeError('a fault of ours'));
});

it("identifies the caller by the ID token's subject, in the organization that the token names", async () => {
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

it('returns the session at the identity provider, if the token names one', async () => {
  const sidOf = async (sid: unknown) => (await verify(`Bearer ${await mint({ sid })}`)).signIn?.sid;
  expect([await sidOf('sign-in-1'), await sidOf(7), await sidOf(['a'])]).toEqual([
    'sign-in-1',
    undefined,
    undefined,
  ]);
});

it('returns an equal caller each time for the same token', async () => {
  const authorization = `Bearer ${await mint()}`;
  const first = await verify(authorization);
  expect(await verify(authorization)).toEqual(first);
});

it.each([
  ['several accepted clients', { aud: ['frontend-app', 'tool-hub'], azp: 'frontend-app' }],
  ['an authorized party that is null', { azp: null }],
  ['the hub itself', { aud: 'tool-hub' }],
])('may present an ID token for %s', async (_case, claims) => {
  await expect(verify(`Bearer ${await mint(claims)}`)).resolves.toMatchObject({ userId: 'user_alice' });
});

it('accepts the authentication scheme in upper or lower case', async () => {
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

const LOGOUT = { events: { 'http://schemas.openid.net/event/backchannel-logout': {} } };

describe('a caller is refused with', () => {
  it.each<[string, TokenRefusalReason, Record<string, unknown>, string?]>([
    ['an access token', 'wrong_type', {}, 'at+jwt'],
    ['an ID-JAG', 'wrong_type', {}, 'oauth-id-jag+jwt'],
    ['a transaction token', 'wrong_type', {}, 'txntoken+jwt'],
    ['a logout token', 'wrong_type', { sid: 's', ...LOGOUT }],
    ["another client's ID token", 'wrong_audience', { aud: 'other-app' }],
    ['an ID token that a stranger may use too', 'wrong_audience', { aud: ['frontend-app', 'other-app'] }],
    ['an ID token that was given to a stranger', 'wrong_audience', { azp: 'other-app' }],
    ["another issuer's ID token", 'untrusted_signature', { iss: 'https://evil.example' }],
    ['an ID token of tomorrow', 'not_yet_valid', { iat: NOW + 86_400, exp: NOW + 90_000 }],
    ['an ID token without end', 'malformed', { exp: undefined }],
    ['an ID token about nobody', 'malformed', { sub: undefined }],
    ['an ID token for a year', 'too_long_lived', { exp: NOW + 31_536_000 }],
  ])('%s', async (_case, reason, claims, typ = 'JWT') => {
    const { status, code, extensions } = await refusal(`Bearer ${await mint(claims, typ)}`);
    expect([status, code, extensions.reason]).toEqual([401, 'token_invalid', reason]);
  });

  it.each<[string, TokenRefusalReason, string[], Record<string, unknown>]>([
    ['is missing', 'malformed', ['sub'], { sub: undefined }],
    ['is of the wrong type', 'wrong_audience', ['azp'], { azp: ['frontend-app'] }],
    ['names another client', 'wrong_audience', ['aud'], { aud: ['other-app', 'frontend-app'] }],
    ['cannot be used', 'malformed', ['organization_id'], { organization_id: 'org acme' }],
    ['is a text in place of a number', 'malformed', ['exp'], { exp: 'tomorrow' }],
    ['marks the bearer token as an access token', 'wrong_type', ['scope'], { scope: 'secret-looking-scope' }],
  ])('a claim that %s, and is named in problem and challenge', async (_case, reason, names, claims) => {
    const { code, detail, extensions, headers } = await refusal(`Bearer ${await mint(claims)}`);
    expect([code, extensions.reason, extensions.claims]).toEqual(['token_invalid', reason, names]);
    for (const text of [detail, headers['WWW-Authenticate']]) expect(text).toContain(` ${names[0]} `);
    expect(detail).not.toMatch(/tomorrow|org acme|secret-looking/);
  });

  it('claims that are not named if the signature is not that of the identity provider', async () => {
    const [header, , signature] = (await mint()).split('.');
    const [, payload] = (await mint({ sub: undefined })).split('.');
    const { extensions } = await refusal(`Bearer ${header}.${payload}.${signature}`);
    expect(extensions).toEqual({ reason: 'untrusted_signature' });
  });

  it('a foreign signature', async () => {
    const others = await createSigningKeys({ alg: 'RS256', clock });
    const [header, payload] = (await mint()).split('.');
    const forged = (await others.sign({}, { typ: 'JWT' })).split('.')[2];
    expect(await refusal(`Bearer ${header}.${payload}.${forged}`)).toMatchObject({
      status: 401,
      code: 'token_invalid',
      extensions: { reason: 'untrusted_signature' },
    });
  });

  it('an expired ID token, even if it was just valid', async () => {
    const token = await mint({ exp: NOW + 10 });
    await verify(`Bearer ${token}`);
    clock.advanceSeconds(16);
    expect(await refusal(`Bearer ${token}`)).toMatchObject({
      status: 401,
      code: 'token_expired',
      extensions: { reason: 'expired' },
    });
  });

  it('without an organization', async () => {
    const token = await mint({ organization_id: undefined });
    expect(await refusal(`Bearer ${token}`)).toMatchObject({
      status: 401,
      code: 'organization_id_required',
      extensions: { reason: 'no_organization' },
    });
  });

  it('a user id that could collide with the cache key of another user', async () => {
    const token = await mint({ sub: 'con_tools:user_bob' });
    expect(await refusal(`Bearer ${token}`)).toMatchObject({ status: 403, code: 'user_id_unsupported' });
  });
});

it('identifies the caller by the ID token of the session, and marks them as using a session', async () => {
  idTokenOfSession = await mint();
  expect(await verify(`Bearer ${HANDLE}`)).toMatchObject({
    userId: 'user_alice',
    subjectToken: idTokenOfSession,
    session: { key: 'session:1' },
  });
});

it('uses another claim as the organization only if that is configured', async () => {
  organizationRule = { claim: 'org_id' };
  verify = callerVerifier(createLocalJWKSet(keys.publicJwks()));
  const named = await mint({ org_id: 'org_globex' });
  expect(await verify(`Bearer ${named}`)).toMatchObject({ organizationId: 'org_globex' });
  expect(await refusal(`Bearer ${await mint()}`)).toMatchObject({ code: 'organization_id_required' });
  expect(await refusal(`Bearer ${await mint({ org_id: 'a:b' })}`)).toMatchObject({ code: 'token_invalid' });
});

it('refuses a token that names two organizations, without a challenge that asks for another sign-in', async () => {
  organizationRule = {
    claim: 'groups',
    map: new Map([
      ['a', ACME],
      ['b', GLOBEX],
    ]),
  };
  verify = callerVerifier(createLocalJWKSet(keys.publicJwks()));
  const refused = await refusal(`Bearer ${await mint({ groups: ['a', 'everybody', 'b'] })}`);
  expect(refused).toMatchObject({ status: 403, code: 'organization_ambiguous', headers: {} });
  const named = await mint({ groups: ['everybody', 'b'], organization_id: 'org_acme' });
  expect(await verify(`Bearer ${named}`)).toMatchObject({ organizationId: 'org_globex' });
});

it.each([
  ['tid', { tid: 'tenant-c' }],
  ['organization_id', { organization_id: 'tenant-c' }],
])('says that the value of the claim %s is not in the map, and not which one', async (claim, claims) => {
  organizationRule = { claim, map: new Map([['tenant-a', ACME]]) };
  verify = callerVerifier(createLocalJWKSet(keys.publicJwks()));
  const refused = await refusal(`Bearer ${await mint(claims)}`);
  expect(refused).toMatchObject({
    ...{ status: 401, code: 'organization_id_required', extensions: { reason: 'no_organization' } },
    detail: expect.stringContaining(
      `The claim ${claim} of the ID token is there, but its value is not in the map`,
    ),
    headers: { 'WWW-Authenticate': expect.stringContaining('ORGANIZATION_RULE') },
  });
  expect(JSON.stringify(refused)).not.toContain('tenant-');
  const without = await refusal(`Bearer ${await mint({ [claim]: undefined })}`);
  expect(without).toMatchObject({
    ...{ status: 401, code: 'organization_id_required', extensions: { reason: 'no_organization' } },
    detail: expect.stringContaining(`no claim ${claim}, or an empty one`),
    headers: { 'WWW-Authenticate': expect.stringContaining('ORGANIZATION_RULE') },
  });
});

it('ignores an unusable organization_id if the rule names another claim', async () => {
  organizationRule = { fixed: ACME };
  verify = callerVerifier(createLocalJWKSet(keys.publicJwks()));
  const token = await mint({ organization_id: ['a:b'] });
  expect(await verify(`Bearer ${token}`)).toMatchObject({ organizationId: 'org_acme' });
});

describe('with a provider whose sub differs for each client', () => {
  beforeEach(() => {
    userClaim = 'oid';
    verify = callerVerifier(createLocalJWKSet(keys.publicJwks()));
  });

  it('identifies the caller by the claim of the kind, and keeps the sub', async () => {
    const token = await mint({ sub: 'pairwise-1', oid: '7d31-1' });
    expect(await verify(`Bearer ${token}`)).toMatchObject({ userId: '7d31-1', subject: 'pairwise-1' });
  });

  it.each([undefined, '', 7])('refuses a token with %j there, and names the claim', async (oid) => {
    expect(await refusal(`Bearer ${await mint({ oid })}`)).toMatchObject({
      status: 401,
      code: 'token_invalid',
      detail: expect.stringContaining('The claim oid'),
      extensions: { claims: ['oid'] },
    });
  });

  it('refuses an id with a colon', async () => {
    const token = await mint({ sub: 'pairwise', oid: 'con_tools:7d31-1' });
    expect(await refusal(`Bearer ${token}`)).toMatchObject({ code: 'user_id_unsupported' });
  });
});

it.each([
  ['a user', { sub: 'user_bob' }],
  ['an organization', { organization_id: 'org_globex' }],
])('refuses a session whose ID token has %s that did not open it', async (_case, claims) => {
  idTokenOfSession = await mint(claims);
  expect(await refusal(`Bearer ${HANDLE}`)).toMatchObject({ code: 'session_ended' });
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
])('refuses an access token with %s', async (_case, claims) => {
  expect(await refusal(`Bearer ${await mint(claims)}`)).toMatchObject({ status: 401, code: 'token_invalid' });
});

it.each([{ typ: 'ID' }, { token_use: 'id' }])('accepts an ID token that has %j', async (claims) => {
  expect(await verify(`Bearer ${await mint(claims)}`)).toMatchObject({ userId: 'user_alice' });
});

it('accepts claims of access tokens only if they are permitted', async () => {
  profile = boundedIdToken({ allowedMarks: ['client_id', 'scope'] });
  verify = callerVerifier(createLocalJWKSet(keys.publicJwks()));
  const token = await mint({ client_id: 'frontend-app', scope: 'openid' });
  expect(await verify(`Bearer ${token}`)).toMatchObject({ userId: 'user_alice' });
  const other = await mint({ client_id: 'frontend-app', scp: 'openid' });
  expect(await refusal(`Bearer ${other}`)).toMatchObject({ code: 'token_invalid' });
});

it('refuses an ID token with a lifetime of more than a day, or than configured', async () => {
  expect(await verify(`Bearer ${await mint({ exp: NOW + 86_400 })}`)).toMatchObject({ userId: 'user_alice' });
  expect(await refusal(`Bearer ${await mint({ exp: NOW + 86_401 })}`)).toMatchObject({
    code: 'token_invalid',
  });
  profile = boundedIdToken({ maxLifetimeSeconds: 600 });
  verify = callerVerifier(createLocalJWKSet(keys.publicJwks()));
  expect(await refusal(`Bearer ${await mint({ exp: NOW + 601 })}`)).toMatchObject({ code: 'token_invalid' });
});

it('refuses a handle if the ID token of its session is no longer accepted', async () => {
  idTokenOfSession = await mint({ aud: 'other-app' });
  expect(await refusal(`Bearer ${HANDLE}`)).toMatchObject({ status: 401, code: 'token_invalid' });
});

it('reports an outage while the keys of the issuer are unavailable', async () => {
  verify = callerVerifier(() => Promise.reject(new TypeError('fetch failed')));
  const problem = await refusal(`Bearer ${await mint()}`);
  expect([problem.status, problem.code, problem.headers['Retry-After']]).toEqual([
    503,
    'idp_unavailable',
    '5',
  ]);
});

/** Faults of a token in the order in which they are checked; all of them can be combined */
const FAULTS: [TokenRefusalReason, Record<string, unknown>][] = [
  ['wrong_type', { scope: 'api' }],
  ['wrong_audience', { aud: 'other-app' }],
  ['expired', { exp: NOW - 3600 }],
  ['not_yet_valid', { iat: NOW + 60 }],
  ['too_long_lived', { exp: NOW + 86_401 + 60 }],
  ['no_organization', { organization_id: undefined }],
];

it.each(FAULTS.map(([reason], index) => [reason, index] as const))(
  'reports %s if that is the first of several faults',
  async (reason, index) => {
    const claims = Object.assign(
      {},
      ...FAULTS.slice(index)
        .reverse()
        .map(([, fault]) => fault),
    );
    expect((await refusal(`Bearer ${await mint(claims)}`)).extensions.reason).toBe(reason);
  },
);

it('reports nothing about the claims of a token with an invalid signature', async () => {
  const others = await createSigningKeys({ alg: 'RS256', clock });
  const answers = new Set<string>();
  for (const [, fault] of FAULTS) {
    const claims = { iss: ISSUER, sub: 'user_alice', aud: 'frontend-app', iat: NOW, exp: NOW + 60, ...fault };
    const { detail, headers, extensions } = await refusal(
      `Bearer ${await others.sign(claims, { typ: 'JWT' })}`,
    );
    answers.add(JSON.stringify([detail, headers, extensions]));
  }
  expect(answers.size).toBe(1);
  expect([...answers].join()).toContain('untrusted_signature');
});

it('reports the reason in the challenge, without values of the token or accepted values', async () => {
  const { detail, headers } = await refusal(`Bearer ${await mint({ aud: 'other-app' })}`);
  expect(headers['WWW-Authenticate']).toBe(
    `Bearer realm="tool-hub", error="invalid_token", error_description="${detail}"`,
  );
  expect(detail).not.toMatch(/other-app|frontend-app|tool-hub/);
});

const jwtWith = (header: string) =>
  `${Buffer.from(header).toString('base64url')}.${Buffer.from(JSON.stringify({ iss: ISSUER })).toString('base64url')}.AA`;

it.each([
  [jwtWith('{"alg":"none"}'), 'untrusted_signature'],
  [jwtWith('{"alg":"HS256","typ":"JWT"}'), 'untrusted_signature'],
  [jwtWith('{ "alg":"HS256"}'), 'untrusted_signature'],
  [jwtWith('{"alg":"RS256","crit":["exp"]}'), 'malformed'],
  [jwtWith('{"alg":"HS256","typ":"at+jwt"}'), 'wrong_type'],
  ['garbage', 'unknown'],
  ['a.b.c', 'unknown'],
  ['eyJhbGciOiJSUzI1NiJ9', 'malformed'],
  ['eyJhbGciOiJSUzI1NiJ9.bm9uZQ.AA', 'malformed'],
  [`eyJ${'a'.repeat(16_384)}`, 'malformed'],
  ['a b', 'malformed'],
])('refuses %.30s with the reason %s', async (token, reason) => {
  expect((await refusal(`Bearer ${token}`)).extensions.reason).toBe(reason);
});

it('never writes the token into the message or log of a refusal', async () => {
  const token = await mint({ aud: 'other-app' });
  const { message, detail, headers, cause } = await refusal(`Bearer ${token}`);
  expect(JSON.stringify([message, detail, headers, String(cause)])).not.toContain(token);
});

describe('an access token of an MCP client', () => {
  const MCP = 'https://hub.example/mcp';
  const TOOLS = 'https://hub.example/mcp/con_tools';
  const token = toClientToken('opaque');
  let resource: string | undefined;
  let takesIdTokens: boolean;
  let own: VerifyCaller;
  beforeEach(async () => {
    resource = MCP;
    takesIdTokens = true;
    idTokenOfSession = await mint({ aud: 'tool-hub' });
    const verifyIdToken = createIdTokenVerifier({
      issuer: { issuer: ISSUER, keys: createLocalJWKSet(keys.publicJwks()) },
      ...{ audiences: ['frontend-app', 'tool-hub'], organizationRule, userClaim, profile, clock },
    });
    own = createCallerVerifier({
      verifyIdToken,
      sessions: {
        find: async () => SESSION(),
        findByKey: async () => ({ ...SESSION(), grant: { clientId: 'https://client.example' } as never }),
      },
      clients: {
        tokens: { find: () => resource && { resource, sessionKey: 'session:1' } } as never,
        mcpResource: MCP,
        verifyOwn: verifyIdToken,
        get takesIdTokens() {
          return takesIdTokens;
        },
      },
    });
  });
  const at = (address: string) => ({ kind: 'mcp', resource: address }) as const;

  it.each([
    ['at /mcp', MCP, at(MCP)],
    ["at a connector's address, if it is for /mcp", MCP, at(TOOLS)],
    ['at the address that it is for', TOOLS, at(TOOLS)],
    ['for explanations of its calls', TOOLS, { kind: 'explanation' } as const],
  ])('stands for the user of its session %s', async (_case, audience, endpoint) => {
    resource = audience;
    expect(await own(`Bearer ${token}`, endpoint)).toMatchObject({
      userId: 'user_alice',
      session: { key: 'session:1' },
      mcpClient: 'https://client.example',
    });
  });

  it.each([
    ['at /mcp, if it is for a connector', TOOLS, at(MCP), 'wrong_endpoint'],
    ["at another connector's address", TOOLS, at(`${MCP}/con_other`), 'wrong_endpoint'],
    ['at the REST API', MCP, { kind: 'api' } as const, 'wrong_endpoint'],
    ['once it has ended', undefined, at(MCP), 'unknown'],
  ])('is refused %s', async (_case, audience, endpoint, reason) => {
    resource = audience;
    await expect(own(`Bearer ${token}`, endpoint)).rejects.toMatchObject({
      status: 401,
      extensions: { reason },
    });
  });

  it('is refused at a hub without an authorization server', async () => {
    expect((await refusal(`Bearer ${token}`)).status).toBe(401);
  });

  it('can be configured as the only token that /mcp accepts', async () => {
    const idToken = await mint();
    expect(await own(`Bearer ${idToken}`, at(MCP))).toMatchObject({ userId: 'user_alice' });
    takesIdTokens = false;
    await expect(own(`Bearer ${idToken}`, at(MCP))).rejects.toMatchObject({
      extensions: { reason: 'wrong_type' },
    });
    expect(await own(`Bearer ${idToken}`)).toMatchObject({ userId: 'user_alice' });
  });
});
