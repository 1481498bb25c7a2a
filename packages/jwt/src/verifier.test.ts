import { beforeAll, describe, expect, it } from '@jest/globals';
import {
  createLocalJWKSet,
  exportJWK,
  exportSPKI,
  generateKeyPair,
  type JWTPayload,
  SignJWT,
  UnsecuredJWT,
} from 'jose';
import {
  accessToken,
  createTokenVerifier,
  idJag,
  idToken,
  KeysUnavailable,
  type RegisteredClaims,
  type TokenProfile,
  TokenRefused,
  transactionToken,
} from './index.ts';

const NOW = 1_790_000_000;
const clock = () => new Date(NOW * 1000);
const ISSUER = 'https://idp.example';
const AUDIENCE = 'https://tools.example';

let keys: Awaited<ReturnType<typeof generateKeyPair>>;
let jwks: ReturnType<typeof createLocalJWKSet>;

beforeAll(async () => {
  keys = await generateKeyPair('RS256', { extractable: true });
  jwks = createLocalJWKSet({ keys: [{ ...(await exportJWK(keys.publicKey)), kid: 'k1', alg: 'RS256' }] });
});

const CLAIMS: JWTPayload = {
  iss: ISSUER,
  sub: 'user_alice',
  aud: AUDIENCE,
  client_id: 'hub',
  jti: 'j1',
  iat: NOW - 10,
  exp: NOW + 290,
};

function sign(claims: JWTPayload = CLAIMS, header: Record<string, unknown> = {}): Promise<string> {
  return new SignJWT(claims)
    .setProtectedHeader({ alg: 'RS256', kid: 'k1', typ: 'oauth-id-jag+jwt', ...header } as { alg: string })
    .sign(keys.privateKey);
}

function verifier<C extends RegisteredClaims>(profile: TokenProfile<C>) {
  return createTokenVerifier(profile, {
    issuers: [{ issuer: ISSUER, keys: jwks }],
    audience: AUDIENCE,
    clock,
  });
}

const reasonOf = (promise: Promise<unknown>) =>
  promise.then(
    () => 'accepted',
    (err: unknown) => (err instanceof TokenRefused ? err.reason : err),
  );

it.each([[1], [null], [['k1']], [{ k1: 1 }], [true]])(
  'refuses the kid %j without looking for a key',
  async (kid) => {
    let asked = 0;
    const verify = createTokenVerifier(idJag, {
      issuers: [
        {
          issuer: ISSUER,
          keys: (...about) => {
            asked += 1;
            return jwks(...about);
          },
        },
      ],
      audience: AUDIENCE,
      clock,
    });
    // A key set with one key would match each of these kids and cache the key under it, so a stranger could fill the
    // cache.
    expect(await reasonOf(verify(await sign(CLAIMS, { kid })))).toBe('malformed');
    expect(asked).toBe(0);
  },
);

describe('an ID-JAG', () => {
  it('is accepted when every claim is valid, and its expiry is reported', async () => {
    const { claims, acceptedUntil } = await verifier(idJag)(await sign());
    expect(claims).toMatchObject({ sub: 'user_alice', client_id: 'hub', jti: 'j1' });
    expect(acceptedUntil).toBe(NOW + 290 + 60);
  });

  it.each([
    ['expired 59 s ago', { exp: NOW - 59, iat: NOW - 300 }, 'accepted'],
    ['expired 60 s ago', { exp: NOW - 60, iat: NOW - 300 }, 'expired'],
    ['expired 61 s ago', { exp: NOW - 61, iat: NOW - 300 }, 'expired'],
    ['issued 60 s in the future', { iat: NOW + 60 }, 'accepted'],
    ['issued 61 s in the future', { iat: NOW + 61 }, 'not_yet_valid'],
    ['valid from 60 s in the future', { nbf: NOW + 60 }, 'accepted'],
    ['valid from 61 s in the future', { nbf: NOW + 61 }, 'not_yet_valid'],
    ['living 10 minutes', { iat: NOW, exp: NOW + 600 }, 'accepted'],
    ['living longer than 10 minutes', { iat: NOW, exp: NOW + 601 }, 'lifetime'],
    ['with its audience as an array of one', { aud: [AUDIENCE] }, 'accepted'],
    ['with a second audience', { aud: [AUDIENCE, 'https://other.example'] }, 'audience'],
    ['for another audience', { aud: 'https://other.example' }, 'audience'],
    ['whose audience has a slash more', { aud: `${AUDIENCE}/` }, 'audience'],
    ['from an issuer we do not trust', { iss: 'https://evil.example' }, 'issuer'],
    ['whose issuer has a slash more', { iss: `${ISSUER}/` }, 'issuer'],
    ['without iss', { iss: undefined }, 'issuer'],
    ['without sub', { sub: undefined }, 'claims'],
    ['without aud', { aud: undefined }, 'audience'],
    ['without client_id', { client_id: undefined }, 'claims'],
    ['without jti', { jti: undefined }, 'claims'],
    ['without iat', { iat: undefined }, 'claims'],
    ['without exp', { exp: undefined }, 'claims'],
    ['with a number as sub', { sub: 7 }, 'claims'],
    ['with an empty sub', { sub: '' }, 'claims'],
    ['with a line break in sub', { sub: 'user_alice\nadmin' }, 'claims'],
    ['with U+0000 in jti', { jti: 'j\u0000' }, 'claims'],
    ['with half a character in client_id', { client_id: 'hub\ud800' }, 'claims'],
    ['with any other character in sub', { sub: 'Ünïcode|😀 user@acme' }, 'accepted'],
    ['with a string as exp', { exp: `${NOW + 100}` }, 'claims'],
    ['with a string as iat', { iat: `${NOW}` }, 'claims'],
    ['with a string as nbf', { nbf: `${NOW}` }, 'claims'],
    ['expired, with a string as iat', { iat: `${NOW}`, exp: NOW - 60 }, 'claims'],
    ['with an object as jti', { jti: {} }, 'claims'],
    ['with an array as scope', { scope: ['a'] }, 'claims'],
    ['with groups that are no strings', { groups: [1] }, 'accepted'],
    ['with null as organization_id, which decides whose data it is', { organization_id: null }, 'claims'],
  ])('%s: %s', async (_case, change: Record<string, unknown>, outcome) => {
    expect(await reasonOf(verifier(idJag)(await sign({ ...CLAIMS, ...change })))).toBe(outcome);
  });

  it.each([
    ['JWT', 'typ'],
    ['at+jwt', 'typ'],
    ['oauth-id-jag', 'typ'],
    [undefined, 'typ'],
    ['application/oauth-id-jag+jwt', 'accepted'],
    ['OAuth-ID-JAG+JWT', 'accepted'],
  ])('with the typ header %s yields %s', async (typ, outcome) => {
    expect(await reasonOf(verifier(idJag)(await sign(CLAIMS, { typ })))).toBe(outcome);
  });

  it('is refused with an unknown kid, an unknown critical header, and another key under the same kid', async () => {
    const other = await generateKeyPair('RS256');
    const forged = new SignJWT(CLAIMS)
      .setProtectedHeader({ alg: 'RS256', kid: 'k1', typ: 'oauth-id-jag+jwt' })
      .sign(other.privateKey);
    expect(await reasonOf(verifier(idJag)(await sign(CLAIMS, { kid: 'k2' })))).toBe('key');
    expect(await reasonOf(verifier(idJag)(await forged))).toBe('signature');
    const [, payload, signature] = (await sign()).split('.');
    const crit = b64({ alg: 'RS256', kid: 'k1', typ: 'oauth-id-jag+jwt', crit: ['exp'], exp: 1 });
    expect(await reasonOf(verifier(idJag)(`${crit}.${payload}.${signature}`))).toBe('critical_header');
  });

  it('is refused as malformed if an entry of crit is not a name', async () => {
    const header = { alg: 'RS256', kid: 'k1', typ: 'oauth-id-jag+jwt', b64: true };
    const [, payload, signature] = (await sign()).split('.');
    for (const crit of [
      ['b64', 1],
      ['b64', ''],
      ['unknown', null],
    ])
      expect(await reasonOf(verifier(idJag)(`${b64({ ...header, crit })}.${payload}.${signature}`))).toBe(
        'malformed',
      );
  });

  it('is refused when the header contains its own key', async () => {
    const own = await generateKeyPair('RS256', { extractable: true });
    const jwk = await exportJWK(own.publicKey);
    const token = await new SignJWT(CLAIMS)
      .setProtectedHeader({ alg: 'RS256', typ: 'oauth-id-jag+jwt', jwk, jku: 'https://evil.example/jwks' })
      .sign(own.privateKey);
    expect(await reasonOf(verifier(idJag)(token))).toBe('signature');
  });

  it('is refused without a signature and when the public key is used as an HMAC secret', async () => {
    const secret = new TextEncoder().encode(await exportSPKI(keys.publicKey));
    const hmac = await new SignJWT(CLAIMS)
      .setProtectedHeader({ alg: 'HS256', kid: 'k1', typ: 'oauth-id-jag+jwt' })
      .sign(secret);
    expect(await reasonOf(verifier(idJag)(hmac))).toBe('algorithm');
    expect(await reasonOf(verifier(idJag)(new UnsecuredJWT(CLAIMS).encode()))).toBe('malformed');
    expect(
      await reasonOf(verifier(idJag)(`${b64({ alg: 'none', typ: 'oauth-id-jag+jwt' })}.${b64(CLAIMS)}.AA`)),
    ).toBe('algorithm');
  });

  it.each(['', 'x', 'a.b', 'a.b.c', 'a.b.c.d.e', '{"payload":""}', '....'])(
    'is refused as malformed (%#)',
    async (token) => {
      expect(await reasonOf(verifier(idJag)(token))).toBe('malformed');
    },
  );

  it('is refused unread when it is longer than 16,384 characters', async () => {
    expect(await reasonOf(verifier(idJag)('A'.repeat(16_384)))).toBe('malformed');
    expect(await reasonOf(verifier(idJag)('A'.repeat(16_385)))).toBe('too_large');
  });

  it('is refused while the clock is invalid', async () => {
    const verify = createTokenVerifier(idJag, {
      issuers: [{ issuer: ISSUER, keys: jwks }],
      audience: AUDIENCE,
      clock: () => new Date(Number.NaN),
    });
    expect(await reasonOf(verify(await sign()))).toBe('expired');
  });

  it('causes an outage error while the keys of its issuer are unavailable', async () => {
    const verify = createTokenVerifier(idJag, {
      issuers: [{ issuer: ISSUER, keys: () => Promise.reject(new Error('connect ECONNREFUSED')) }],
      audience: AUDIENCE,
      clock,
    });
    await expect(verify(await sign())).rejects.toBeInstanceOf(KeysUnavailable);
  });

  it('does not cause keys to be fetched if its issuer is unknown', async () => {
    let fetched = 0;
    const verify = createTokenVerifier(idJag, {
      issuers: [
        {
          issuer: ISSUER,
          keys: (header) => {
            fetched += 1;
            return jwks(header);
          },
        },
      ],
      audience: AUDIENCE,
      clock,
    });
    expect(await reasonOf(verify(await sign({ ...CLAIMS, iss: 'https://evil.example' })))).toBe('issuer');
    expect(await reasonOf(verify(await sign(CLAIMS, { typ: 'JWT' })))).toBe('typ');
    expect(fetched).toBe(0);
  });
});

describe('the kinds of token exclude each other by typ', () => {
  it.each([
    ['ID token', idToken, 'JWT'],
    ['ID token', idToken, undefined],
    ['ID-JAG', idJag, 'oauth-id-jag+jwt'],
    ['access token', accessToken, 'at+jwt'],
    ['transaction token', transactionToken, 'txntoken+jwt'],
  ] as const)('only the %s profile accepts its typ (%#)', async (kind, _profile, typ) => {
    const token = await sign(
      { ...CLAIMS, exp: NOW + 60, iat: NOW, txn: 't', scope: 's', req_wl: 'w' },
      { typ },
    );
    for (const profile of [idToken, idJag, accessToken, transactionToken]) {
      const outcome = await reasonOf(verifier(profile as TokenProfile<RegisteredClaims>)(token));
      expect([profile.kind, outcome]).toEqual([profile.kind, profile.kind === kind ? 'accepted' : 'typ']);
    }
  });

  it('accepts an access token for one audience only', async () => {
    const token = (aud: unknown) => sign({ ...CLAIMS, aud } as JWTPayload, { typ: 'at+jwt' });
    expect(await reasonOf(verifier(accessToken)(await token([AUDIENCE])))).toBe('accepted');
    expect(await reasonOf(verifier(accessToken)(await token([AUDIENCE, 'https://b.example'])))).toBe(
      'audience',
    );
  });

  it('grants a transaction token 5 s of skew, not 60', async () => {
    const token = (exp: number) =>
      sign({ ...CLAIMS, exp, iat: NOW - 60, txn: 't', scope: 's', req_wl: 'w' }, { typ: 'txntoken+jwt' });
    expect(await reasonOf(verifier(transactionToken)(await token(NOW - 4)))).toBe('accepted');
    expect(await reasonOf(verifier(transactionToken)(await token(NOW - 5)))).toBe('expired');
  });
});

function b64(value: unknown): string {
  return Buffer.from(JSON.stringify(value)).toString('base64url');
}
