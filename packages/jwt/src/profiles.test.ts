import { describe, expect, it } from '@jest/globals';
import { runs } from '@legate/testing';
import fc from 'fast-check';
import { createLocalJWKSet } from 'jose';
import {
  accessToken,
  clientAssertion,
  createSigningKeys,
  createTokenVerifier,
  epochSeconds,
  idJag,
  idpAccessToken,
  idToken,
  logoutToken,
  type RegisteredClaims,
  type TokenProfile,
  TokenRefused,
  transactionToken,
  untypedIdpAccessToken,
} from './index.ts';

const NOW = 1_790_000_000;
const clock = () => new Date(NOW * 1000);
const ISSUER = 'https://idp.example';
const AUDIENCE = 'https://api.example';
const CLAIMS = { iss: ISSUER, sub: 'user_alice', aud: AUDIENCE, iat: NOW, exp: NOW + 60 };

const keys = await createSigningKeys({ alg: 'ES256', clock });

async function outcomeOf<Claims extends RegisteredClaims>(
  profile: TokenProfile<Claims>,
  claims: Record<string, unknown>,
  typ: string,
  audience = AUDIENCE,
) {
  const verify = createTokenVerifier(profile, {
    issuers: [{ issuer: ISSUER, keys: createLocalJWKSet(keys.publicJwks()) }],
    audience,
    clock,
  });
  return verify(await keys.sign({ ...CLAIMS, ...claims }, { typ })).then(
    () => 'accepted',
    (err: unknown) => (err instanceof TokenRefused ? err.message : err),
  );
}

it.each([['h'], [['h']]])('accepts an audience of one character: %j', async (aud) => {
  expect(await outcomeOf(idToken, { aud }, 'JWT', 'h')).toBe('accepted');
});

describe('an access token without a type of its own', () => {
  const outcome = (claims: Record<string, unknown>) =>
    outcomeOf(untypedIdpAccessToken, { scope: 'sites:read', ...claims }, 'JWT');

  it.each([
    ['a scope', {}],
    ['scopes in a list named scp', { scope: undefined, scp: ['sites:read'] }],
    ['another audience than its client', { client_id: 'app', azp: 'app', cid: 'app', appid: 'app' }],
  ])('is accepted with %s', async (_case, claims) => {
    expect(await outcome(claims)).toBe('accepted');
  });

  it('is refused without a scope', async () => {
    expect(await outcome({ scope: undefined })).toBe('claims: scope');
  });

  it.each(['nonce', 'at_hash', 'c_hash', 's_hash', 'events'])(
    'is refused with %s, which only other tokens have',
    async (claim) => {
      expect(await outcome({ [claim]: 'x' })).toBe(`claims: ${claim}`);
    },
  );

  it.each(['client_id', 'azp', 'cid', 'appid'])('is refused when %s is its audience', async (claim) => {
    expect(await outcome({ [claim]: AUDIENCE })).toBe('claims: aud');
    expect(await outcome({ [claim]: AUDIENCE, aud: ['https://other.example', AUDIENCE] })).toBe(
      'claims: aud',
    );
  });
});

it('reads scopes from scope, and from scp only if scope is absent', async () => {
  const verify = createTokenVerifier(idpAccessToken, {
    issuers: [{ issuer: ISSUER, keys: createLocalJWKSet(keys.publicJwks()) }],
    audience: AUDIENCE,
    clock,
  });
  const scopeOf = async (claims: object) =>
    (await verify(await keys.sign({ ...CLAIMS, ...claims }, { typ: 'at+jwt' }))).claims.scope;
  expect(await scopeOf({ scope: 'a b' })).toBe('a b');
  expect(await scopeOf({ scope: 'a', scp: 'b' })).toBe('a');
  expect(await scopeOf({ scp: ['a', 'b'] })).toBe('a b');
  expect(await scopeOf({})).toBeUndefined();
});

const ID_JAG = { client_id: 'hub', jti: 'j1' };

describe('an identifier', () => {
  it.each<[string, string, string]>([
    ['of 255 characters', 'x'.repeat(255), 'accepted'],
    ['of 256 characters', 'x'.repeat(256), 'claims: sub'],
    ['that is empty', '', 'claims: sub'],
  ])('%s', async (_case, sub, outcome) => {
    expect(await outcomeOf(idJag, { ...ID_JAG, sub }, 'oauth-id-jag+jwt')).toBe(outcome);
  });

  it.each(['client_id', 'jti', 'tenant'])('must not contain a line break in the claim %s', async (claim) => {
    const outcome = await outcomeOf(idJag, { ...ID_JAG, [claim]: 'x\n' }, 'oauth-id-jag+jwt');
    expect(outcome).toBe(`claims: ${claim}`);
  });
});

it.each<[string, string, string]>([
  ['of 128 characters', 'o'.repeat(128), 'accepted'],
  ['of 129 characters', 'o'.repeat(129), 'claims: organization_id'],
  ['with the separator of cache keys', 'org:acme', 'claims: organization_id'],
  ['with a line break at its end', 'org_acme\n', 'claims: organization_id'],
  ['that is empty', '', 'claims: organization_id'],
])('an organization_id %s', async (_case, organization_id, outcome) => {
  expect(await outcomeOf(idToken, { organization_id }, 'JWT')).toBe(outcome);
});

describe('an optional claim that affects no decision', () => {
  const verify = createTokenVerifier(idToken, {
    issuers: [{ issuer: ISSUER, keys: createLocalJWKSet(keys.publicJwks()) }],
    audience: AUDIENCE,
    clock,
  });

  it.each<[claim: string, value: unknown, read: unknown]>([
    ['email', null, undefined],
    ['email', '', undefined],
    ['email', 1, undefined],
    ['email_verified', 'true', true],
    ['email_verified', 'false', false],
    ['email_verified', 1, false],
    ['email_verified', null, undefined],
    ['groups', 'sales', ['sales']],
    ['groups', ['sales', 7, null, ''], ['sales']],
    ['groups', null, undefined],
    ['roles', {}, undefined],
    ['name', 7, undefined],
    ['auth_time', '1764000000', 1_764_000_000],
    ['auth_time', 'yesterday', undefined],
    ['auth_time', -1, undefined],
    ['acr', 1, '1'],
    ['acr', ['1'], undefined],
    ['amr', 'pwd', ['pwd']],
    ['azp', null, undefined],
    ['organization_id', null, undefined],
  ])('is converted, or ignored if unreadable: %s of %j is %j', async (claim, value, read) => {
    const { claims } = await verify(await keys.sign({ ...CLAIMS, [claim]: value }, { typ: 'JWT' }));
    expect(claims[claim]).toEqual(read);
  });

  it('never causes a token to be refused', async () => {
    const typ = { JWT: idToken, 'oauth-id-jag+jwt': idJag, 'at+jwt': idpAccessToken };
    const names = [
      'email',
      'email_verified',
      'groups',
      'roles',
      'name',
      'auth_time',
      'acr',
      'amr',
      'picture',
    ];
    const odd = fc.dictionary(fc.constantFrom(...names), fc.jsonValue());
    await fc.assert(
      fc.asyncProperty(odd, fc.constantFrom(...Object.entries(typ)), async (claims, [type, profile]) => {
        const good = type === 'oauth-id-jag+jwt' ? ID_JAG : {};
        expect(await outcomeOf(profile, { ...claims, ...good }, type)).toBe('accepted');
      }),
      runs(300),
    );
  });
});

describe('a claim of the wrong type is refused', () => {
  it.each<[string, unknown]>([
    ['azp', {}],
    ['organization_id', 7],
    ['nbf', null],
    ['nbf', '0'],
    ['nbf', -1],
    ['iat', -1],
    ['aud', [AUDIENCE, 7]],
  ])('in an ID token: %s', async (claim, value) => {
    expect(await outcomeOf(idToken, { [claim]: value }, 'JWT')).toMatch(/^claims: /);
  });

  it.each<[string, unknown]>([
    ['resource', 'tools'],
    ['resource', []],
    ['tenant', ''],
    ['cnf', 'key'],
  ])('in an ID-JAG: %s', async (claim, value) => {
    expect(await outcomeOf(idJag, { ...ID_JAG, [claim]: value }, 'oauth-id-jag+jwt')).toMatch(/^claims: /);
  });

  it.each<[string, unknown]>([
    ['scope', ['a']],
    ['idp', 7],
    ['tenant', ''],
    ['client_id', undefined],
    ['jti', undefined],
  ])('in an access token of a tool server: %s', async (claim, value) => {
    expect(await outcomeOf(accessToken, { ...ID_JAG, [claim]: value }, 'at+jwt')).toMatch(/^claims: /);
  });

  it.each<[string, unknown]>([
    ['client_id', 7],
    ['scope', 7],
    ['scp', {}],
    ['scope', null],
  ])('in an access token of the identity provider: %s', async (claim, value) => {
    expect(await outcomeOf(idpAccessToken, { [claim]: value }, 'at+jwt')).toMatch(/^claims: /);
  });

  it.each<[string, unknown]>([
    ['txn', undefined],
    ['scope', undefined],
    ['req_wl', undefined],
    ['jti', undefined],
    ['tctx', 'x'],
    ['rctx', 'x'],
  ])('in a transaction token: %s', async (claim, value) => {
    const good = { txn: 't', scope: 's', req_wl: 'w', jti: 'j' };
    expect(await outcomeOf(transactionToken, good, 'txntoken+jwt')).toBe('accepted');
    expect(await outcomeOf(transactionToken, { ...good, [claim]: value }, 'txntoken+jwt')).toMatch(
      /^claims: /,
    );
  });
});

describe('the longest accepted lifetime of a token', () => {
  const LOGOUT = { jti: 'j', events: { 'http://schemas.openid.net/event/backchannel-logout': {} } };

  it.each<[string, TokenProfile<RegisteredClaims>, object, string, number]>([
    [
      'a transaction token 300 s',
      transactionToken,
      { txn: 't', scope: 's', req_wl: 'w', jti: 'j' },
      'txntoken+jwt',
      300,
    ],
    ['a client assertion 300 s', clientAssertion, { jti: 'j' }, 'client-authentication+jwt', 300],
    ['a logout token 3600 s', logoutToken, LOGOUT, 'logout+jwt', 3600],
  ])('%s', async (_case, profile, claims, typ, seconds) => {
    expect(await outcomeOf(profile, { ...claims, exp: NOW + seconds }, typ)).toBe('accepted');
    expect(await outcomeOf(profile, { ...claims, exp: NOW + seconds + 1 }, typ)).toBe('lifetime');
  });
});

describe('a token is accepted after its expiry for the clock skew of its kind', () => {
  const LOGOUT = { jti: 'j', events: { 'http://schemas.openid.net/event/backchannel-logout': {} } };

  it.each<[string, TokenProfile<RegisteredClaims>, object, string, number]>([
    ['an ID token', idToken, {}, 'JWT', 5],
    ['an ID-JAG', idJag, ID_JAG, 'oauth-id-jag+jwt', 60],
    ['an access token', accessToken, ID_JAG, 'at+jwt', 60],
    ['an access token of the identity provider', idpAccessToken, {}, 'at+jwt', 60],
    ['one without a type', untypedIdpAccessToken, { scope: 's' }, 'JWT', 60],
    ['a client assertion', clientAssertion, { jti: 'j' }, 'JWT', 60],
    ['a logout token', logoutToken, LOGOUT, 'logout+jwt', 60],
  ])('%s', async (_case, profile, claims, typ, skewSeconds) => {
    const endedFor = (seconds: number) => ({ ...claims, iat: NOW - 100, exp: NOW - seconds });
    expect(await outcomeOf(profile, endedFor(skewSeconds - 1), typ)).toBe('accepted');
    expect(await outcomeOf(profile, endedFor(skewSeconds), typ)).toBe('expired');
  });
});

it.each([
  ['client-authentication+jwt', 'accepted'],
  ['JWT', 'accepted'],
  ['at+jwt', 'typ'],
])('a client assertion of the type %s', async (typ, outcome) => {
  expect(await outcomeOf(clientAssertion, { jti: 'j' }, typ)).toBe(outcome);
});

it('an ID token may be for several audiences', async () => {
  expect(await outcomeOf(idToken, { aud: [AUDIENCE, 'https://other.example'] }, 'JWT')).toBe('accepted');
});

it('rounds epoch seconds down', () => {
  expect(epochSeconds(new Date(1999))).toBe(1);
});

it('a client assertion is for one audience only', async () => {
  const aud = [AUDIENCE, 'https://other.example'];
  expect(await outcomeOf(clientAssertion, { jti: 'j', aud }, 'JWT')).toBe('audience: more than one');
});
