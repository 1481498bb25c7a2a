import { beforeAll, describe, expect, it } from '@jest/globals';
import { OrganizationId } from '@legate/ids';
import { createSigningKeys, type SigningKeys } from '@legate/jwt';
import { START } from '@legate/service/testing';
import { checkAccessToken } from './access-token-checks.ts';
import { checkIdJag, type IdJagExpectation, publicSubject } from './checks.ts';

const NOW = START.getTime() / 1000;
const ACME = OrganizationId.parse('org_acme');
const ORGANIZATION: IdJagExpectation['organization'] = {
  organizationId: ACME,
  tenant: undefined,
  rule: { claim: 'organization_id' },
  idJagOrganization: 'required',
};
const EXPECTED: IdJagExpectation = {
  issuer: 'https://idp.example',
  audience: 'https://tools.example',
  resolvedAudience: 'https://tools.example',
  resource: 'https://tools.example',
  clientId: 'hub-at-server',
  subject: 'user_alice',
  organization: ORGANIZATION,
  scopes: ['mcp:tools:read', 'mcp:tools:call'],
  actor: { named: undefined, clientId: 'hub-at-idp', issuer: 'https://idp.example' },
};
const CLAIMS = {
  iss: EXPECTED.issuer,
  sub: 'user_alice',
  organization_id: 'org_acme',
  aud: EXPECTED.audience,
  client_id: EXPECTED.clientId,
  resource: EXPECTED.resource,
  scope: 'mcp:tools:read mcp:tools:call',
  jti: 'jag_1',
  iat: NOW,
  exp: NOW + 300,
};
const RESPONSE = {
  issued_token_type: 'urn:ietf:params:oauth:token-type:id-jag',
  token_type: 'n_a',
  expires_in: 300,
};

let keys: SigningKeys;
beforeAll(async () => {
  keys = await createSigningKeys({ alg: 'ES256', clock: () => START });
});

const idJag = (claims: Record<string, unknown> = {}, typ = 'oauth-id-jag+jwt') =>
  keys.sign({ ...CLAIMS, ...claims }, { typ });

describe('an ID-JAG', () => {
  it('may have a subject of one character', async () => {
    const body = { ...RESPONSE, access_token: await idJag({ sub: 'a' }) };
    expect(checkIdJag(body, { ...EXPECTED, subject: 'a' }, NOW)).toMatchObject({ ok: true });
  });

  it('is accepted if it matches the request', async () => {
    const token = await idJag();
    expect(checkIdJag({ ...RESPONSE, access_token: token }, EXPECTED, NOW)).toEqual({
      ok: true,
      idJag: token,
      scopes: EXPECTED.scopes,
      actor: 'none',
    });
  });

  it('that has no scope itself has the scopes of the response', async () => {
    const body = { ...RESPONSE, access_token: await idJag({ scope: undefined }), scope: 'mcp:tools:read' };
    expect(checkIdJag(body, EXPECTED, NOW)).toMatchObject({ ok: true, scopes: ['mcp:tools:read'] });
  });

  it.each([[{}], [{ scope: '' }]])(
    'without a scope in it and in the response has no known scopes',
    async (change) => {
      const body = { ...RESPONSE, access_token: await idJag({ scope: undefined, ...change }) };
      expect(checkIdJag(body, EXPECTED, NOW)).toMatchObject({ ok: true, scopes: undefined });
    },
  );

  it.each<[string, Record<string, unknown>, string?]>([
    ['has its typ in another case and with the prefix', {}, 'application/OAUTH-ID-JAG+JWT'],
    ['names its audience in an array of one', { aud: [EXPECTED.audience] }],
    ['names the resource with the slash that URL libraries add', { resource: 'https://tools.example/' }],
    ['names the resource in an array', { resource: [EXPECTED.resource] }],
    ['names no resource, which is optional', { resource: undefined }],
    ['has null for what it may omit', { resource: null, scope: null, act: null, cnf: null, tenant: null }],
    [
      'has claims for the tool server alone',
      { sub_id: { format: 'opaque', id: 'x' }, aud_sub: 'bob-there', aud_tenant: 'org_globex' },
    ],
    ['grants less than asked', { scope: 'mcp:tools:read' }],
    ['ends in 30 seconds', { exp: NOW + 30 }],
  ])('is accepted when it %s', async (_case, claims, typ = 'oauth-id-jag+jwt') => {
    const body = { ...RESPONSE, access_token: await idJag(claims, typ) };
    expect(checkIdJag(body, EXPECTED, NOW)).toMatchObject({ ok: true });
  });

  it.each<[string, Record<string, unknown>, string, string?]>([
    ['is an ID token', {}, 'typ', 'JWT'],
    ['is an access token', {}, 'typ', 'at+jwt'],
    ['is from another issuer', { iss: 'https://evil.example' }, 'iss'],
    ['is for another server', { aud: 'https://other.example' }, 'but "https://other.example"'],
    ['is for a server whose name differs by a slash', { aud: 'https://tools.example/' }, 'aud'],
    ['is for two servers', { aud: [EXPECTED.audience, 'https://other.example'] }, '"aud" is a list'],
    ['is for no server', { aud: undefined }, '"aud" is missing'],
    ['is for another client', { client_id: 'someone-else' }, 'but "someone-else"'],
    ['is for no client', { client_id: undefined }, '"client_id" is missing'],
    ['is about nobody', { sub: '' }, '"sub" is an empty text'],
    ['is about somebody else', { sub: 'user_bob' }, 'sub'],
    ['is for another organization of the user', { organization_id: 'org_globex' }, 'organization_id'],
    ['names no organization', { organization_id: undefined }, 'organization_id is not there'],
    ['names an organization that is no string', { organization_id: ['org_acme'] }, 'organization_id'],
    ['names null as organization', { organization_id: null }, 'organization_id is not there'],
    ['is of another tenant', { tenant: 'org_globex' }, 'tenant is not the user'],
    ['is bound to a key', { cnf: { jkt: 'abc' } }, 'cnf binds it to a key'],
    ['is for another resource', { resource: 'https://other.example' }, 'resource claim'],
    [
      'is for one resource more',
      { resource: [EXPECTED.resource, 'https://other.example'] },
      'resource claim',
    ],
    ['names its resource twice', { resource: [EXPECTED.resource, EXPECTED.resource] }, 'resource claim'],
    ['is for an empty list of resources', { resource: [] }, '"resource" is a list'],
    [
      'grants more than asked',
      { scope: 'mcp:tools:read admin' },
      'scope claim is broader than asked, by "admin"',
    ],
    ['ends in 29 seconds', { exp: NOW + 29 }, 'expires too soon'],
    ['has expired', { exp: NOW - 1 }, 'expires too soon'],
    ['never ends', { exp: undefined }, '"exp" is missing'],
  ])('is refused when it %s', async (_case, claims, reason, typ = 'oauth-id-jag+jwt') => {
    const body = { ...RESPONSE, access_token: await idJag(claims, typ) };
    expect(checkIdJag(body, EXPECTED, NOW)).toEqual({ ok: false, reason: expect.stringContaining(reason) });
  });

  it('is accepted with a different subject if subjects may be pairwise', async () => {
    const body = { ...RESPONSE, access_token: await idJag({ sub: 'pairwise-of-alice' }) };
    expect(checkIdJag(body, { ...EXPECTED, subject: undefined }, NOW)).toMatchObject({ ok: true });
  });

  it.each([
    [undefined, true],
    ['org_acme', true],
    ['org_globex', false],
    [null, true],
  ])('with organization_id %j is accepted (%j) if the claim is optional', async (organizationId, ok) => {
    const body = { ...RESPONSE, access_token: await idJag({ organization_id: organizationId }) };
    const organization = { ...ORGANIZATION, idJagOrganization: 'optional' as const };
    expect(checkIdJag(body, { ...EXPECTED, organization }, NOW)).toMatchObject({ ok });
  });

  const [ACME, GLOBEX] = ['org_acme', 'org_globex'].map((id) => OrganizationId.parse(id)) as [
    OrganizationId,
    OrganizationId,
  ];
  const OF_ACME = { fixed: ACME };
  const BY_TID: Partial<IdJagExpectation['organization']> = {
    rule: {
      claim: 'tid',
      map: new Map([
        ['t-1', ACME],
        ['t-2', GLOBEX],
      ]),
    },
  };
  it.each<[string, Partial<IdJagExpectation['organization']>, Record<string, unknown>, string?]>([
    ["the user's tenant at the provider", { tenant: 't-9' }, { organization_id: undefined, tenant: 't-9' }],
    ['the organization as tenant', {}, { organization_id: undefined, tenant: 'org_acme' }],
    ['a tenant that the rule maps to it', BY_TID, { organization_id: undefined, tenant: 't-1' }],
    ["the rule's claim beside it", BY_TID, { tid: 't-1' }],
    ['any tenant of a provider of one organization', { rule: OF_ACME }, { tenant: 't-7' }],
    ['another tenant', { tenant: 't-9' }, { tenant: 't-8' }, 'tenant'],
    [
      'another tenant, at a provider of one organization',
      { tenant: 't-9', rule: OF_ACME },
      { tenant: 't-8' },
      'tenant',
    ],
    ['a tenant that the rule maps to another', BY_TID, { tenant: 't-2' }, 'tenant'],
    ["another organization in the rule's claim", BY_TID, { tid: 't-2' }, 'tid'],
    [
      "only the rule's claim",
      BY_TID,
      { organization_id: undefined, tid: 't-1' },
      'organization_id is not there',
    ],
    [
      'another organization, of a provider of one organization',
      { rule: OF_ACME, idJagOrganization: 'optional' },
      { organization_id: 'org_globex' },
      'organization_id',
    ],
  ])('may name %s, or is refused', async (_case, change, claims, reason = '') => {
    const body = { ...RESPONSE, access_token: await idJag(claims) };
    const checked = checkIdJag(body, { ...EXPECTED, organization: { ...ORGANIZATION, ...change } }, NOW);
    expect(checked).toMatchObject(
      reason === '' ? { ok: true } : { ok: false, reason: expect.stringContaining(reason) },
    );
  });

  it.each([
    [['public'], 'user_alice'],
    [['pairwise'], undefined],
    [['public', 'pairwise'], undefined],
    [[], undefined],
    [undefined, undefined],
  ])('for a provider with %j subjects, is expected to have the subject %j', (types, subject) => {
    expect(publicSubject(types, 'user_alice')).toBe(subject);
  });

  it.each<[string, Record<string, unknown>, string]>([
    [
      'is said to be an access token',
      { issued_token_type: 'urn:ietf:params:oauth:token-type:access_token' },
      'issued_token_type',
    ],
    [
      'has a token type in another case',
      { issued_token_type: 'urn:ietf:params:oauth:token-type:ID-JAG' },
      'issued_token_type',
    ],
    ['is said to be nothing', { issued_token_type: undefined }, 'issued_token_type'],
    ['is said to be bound to a key', { token_type: 'dpop' }, 'token_type'],
    [
      'is called a bearer token, and an access token',
      { token_type: 'bearer', issued_token_type: undefined },
      'issued',
    ],
    [
      'is said to be for its resource twice',
      { resource: [EXPECTED.resource, EXPECTED.resource] },
      'resource',
    ],
    ['is said to have fewer scopes than it claims', { scope: 'mcp:tools:read' }, 'differ'],
    ['is said to be for another resource', { resource: 'https://other.example' }, 'resource'],
    ['is said to be for no resource', { resource: [] }, 'resource'],
    ['is said to grant more than asked', { scope: 'mcp:tools:read admin' }, 'scope'],
    ['is no JWT', { access_token: 'opaque' }, 'not a JWT'],
    ['has a header that is no JSON', { access_token: 'x.y.z' }, 'not a JWT'],
  ])('is refused when it %s', async (_case, change, reason) => {
    const body = { ...RESPONSE, access_token: await idJag(), ...change };
    expect(checkIdJag(body, EXPECTED, NOW)).toEqual({ ok: false, reason: expect.stringContaining(reason) });
  });

  it.each(['n_a', 'bearer'])('may have the token type %s', async (tokenType) => {
    const body = { ...RESPONSE, token_type: tokenType, access_token: await idJag() };
    expect(checkIdJag(body, EXPECTED, NOW)).toMatchObject({ ok: true });
  });

  it.each([
    ['its scopes in another order', { scope: 'mcp:tools:call mcp:tools:read' }],
    ['its resource in a list', { resource: [EXPECTED.resource] }],
  ])('is accepted if the response has %s', async (_case, change) => {
    const body = { ...RESPONSE, access_token: await idJag(), ...change };
    expect(checkIdJag(body, EXPECTED, NOW)).toMatchObject({ ok: true, scopes: EXPECTED.scopes });
  });

  it('never appears in the reason', async () => {
    const token = await idJag({ aud: 'https://other.example' });
    expect(JSON.stringify(checkIdJag({ ...RESPONSE, access_token: token }, EXPECTED, NOW))).not.toContain(
      token,
    );
  });

  it('may name the issuer that an alias resolves to', async () => {
    const body = { ...RESPONSE, access_token: await idJag() };
    expect(checkIdJag(body, { ...EXPECTED, audience: 'urn:tools' }, NOW)).toMatchObject({ ok: true });
  });

  it('may grant any scope if no scope was requested', async () => {
    const body = { ...RESPONSE, access_token: await idJag({ scope: 'whatever' }) };
    expect(checkIdJag(body, { ...EXPECTED, scopes: [] }, NOW)).toMatchObject({
      ok: true,
      scopes: ['whatever'],
    });
  });
});

describe('an actor in an ID-JAG', () => {
  const act = { iss: 'https://hub.example', sub: 'agt_support', sub_profile: 'ai_agent' };
  const client = { sub: 'hub-at-idp' };
  const check = async (claims: Record<string, unknown>, named: typeof act | undefined) =>
    checkIdJag(
      { ...RESPONSE, access_token: await idJag(claims) },
      { ...EXPECTED, actor: { ...EXPECTED.actor, named } },
      NOW,
    );

  it('is the agent that was named, or absent', async () => {
    expect(await check({ act }, act)).toMatchObject({ ok: true, actor: 'agent' });
    expect(await check({}, act)).toMatchObject({ ok: true, actor: 'none' });
    expect(await check({ act: null }, act)).toMatchObject({ ok: true, actor: 'none' });
  });

  it.each([client, { ...client, iss: EXPECTED.issuer }, { ...client, sub_profile: 'client' }])(
    'is our client at the identity provider, if none was named: %j',
    async (claimed) => {
      expect(await check({ act: claimed }, undefined)).toMatchObject({ ok: true, actor: 'provider' });
    },
  );

  it.each<[string, unknown, typeof act | undefined]>([
    ['nobody named', act, undefined],
    ['is another client', { sub: 'another-client' }, undefined],
    ['is our client at the tool server', { sub: EXPECTED.clientId }, undefined],
    ['is a client of our name at another issuer', { ...client, iss: 'https://evil.example' }, undefined],
    ['is our client, which acts for another actor', { ...client, act: { sub: 'another' } }, undefined],
    ['is our client, with a further member', { ...client, admin: true }, undefined],
    ['is our client, in place of the agent that was named', client, act],
    ['is another agent', { ...act, sub: 'agt_other' }, act],
    ['is of another issuer', { ...act, iss: 'https://evil.example' }, act],
    ['has no issuer', { sub: act.sub, sub_profile: act.sub_profile }, act],
    ['is of another kind', { ...act, sub_profile: 'service' }, act],
    ['acts for another actor', { ...act, act }, act],
    ['has a further member', { ...act, admin: true }, act],
    ['is no object', 'agt_support', act],
  ])('is refused when it %s', async (_case, claimed, named) => {
    expect(await check({ act: claimed }, named)).toEqual({
      ok: false,
      reason: expect.stringContaining('act is neither the agent'),
    });
  });
});

describe('an access token', () => {
  const EXPECT = {
    method: 'id-jag' as const,
    resource: EXPECTED.resource,
    requested: ['mcp:tools:read', 'mcp:tools:call'],
    granted: ['mcp:tools:read', 'mcp:tools:call'],
  };
  const TOKEN = { access_token: 'abc.def-_~+/123==', token_type: 'bearer', expires_in: 3600 };

  it('has the scopes that the server returns, otherwise those of the assertion', () => {
    const credential = {
      kind: 'access_token',
      method: 'id-jag',
      accessToken: TOKEN.access_token,
      expiresAt: NOW + 3600,
      scopes: EXPECT.granted,
    };
    expect(checkAccessToken(TOKEN, EXPECT, NOW)).toEqual({ ok: true, credential });
    expect(checkAccessToken({ ...TOKEN, scope: 'mcp:tools:read' }, EXPECT, NOW)).toEqual({
      ok: true,
      credential: { ...credential, scopes: ['mcp:tools:read'] },
    });
  });

  it('has no known scopes if neither the identity provider nor the server has named any', () => {
    const checked = checkAccessToken(TOKEN, { ...EXPECT, granted: undefined }, NOW);
    expect(checked).toMatchObject({ ok: true, credential: { scopes: [] } });
  });

  it('may have characters that RFC 6749 allows and RFC 6750 does not, such as colons', () => {
    const token = { ...TOKEN, access_token: 'user_alice:grant:secret' };
    expect(checkAccessToken(token, EXPECT, NOW)).toMatchObject({ ok: true });
  });

  it('may have 16,384 characters, as many as servers accept', () => {
    const longest = { ...TOKEN, access_token: 'a'.repeat(16_384) };
    expect(checkAccessToken(longest, EXPECT, NOW)).toMatchObject({ ok: true });
  });

  it('without an expiry has an unknown expiry time', () => {
    const { expires_in: _left, ...body } = TOKEN;
    expect(checkAccessToken(body, EXPECT, NOW)).toMatchObject({ credential: { expiresAt: undefined } });
  });

  it.each<[string, Record<string, unknown>, string]>([
    ['is bound to a key', { token_type: 'dpop' }, 'token_type is not Bearer, but "dpop"'],
    ['is not applicable', { token_type: 'n_a' }, 'token_type'],
    ['would end the header', { access_token: 'abc\r\nX-Evil: 1' }, 'bearer token'],
    ['has a blank', { access_token: 'abc def' }, 'bearer token'],
    ['has a character that is not of ASCII', { access_token: 'abcä' }, 'bearer token'],
    ['has U+0000', { access_token: 'abc\u0000' }, 'bearer token'],
    ['is longer than servers take', { access_token: 'a'.repeat(16_385) }, 'bearer token'],
    ['is for another resource', { resource: 'https://other.example' }, '"https://other.example"'],
    ['has more scopes than were requested', { scope: 'mcp:tools:read admin' }, 'by "admin"'],
  ])('is refused when it %s', (_case, change, reason) => {
    expect(checkAccessToken({ ...TOKEN, ...change }, EXPECT, NOW)).toEqual({
      ok: false,
      reason: expect.stringContaining(reason),
    });
  });

  it.each([['scope'], ['token_type'], ['resource']])(
    'is not in the reason, even if %s contains it',
    (member) => {
      const token = 'short-token';
      const checked = checkAccessToken({ ...TOKEN, access_token: token, [member]: token }, EXPECT, NOW);
      expect(checked).toMatchObject({ ok: false, reason: expect.stringContaining(member) });
      expect(JSON.stringify(checked)).not.toContain(token);
    },
  );
});
