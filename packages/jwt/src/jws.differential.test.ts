import { randomInt } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import { expect, it } from '@jest/globals';
import { needs } from '@legate/testing';
import { createLocalJWKSet, decodeProtectedHeader, type JWTVerifyGetKey, jwtVerify } from 'jose';
import { z } from 'zod';
import { TokenRefused } from './errors.ts';
import { ASYMMETRIC_ALGORITHMS } from './jws.ts';
import { createTokenGenerator } from './testing/generated-tokens.ts';
import { AUDIENCE, ISSUER, NOW } from './testing/scene.ts';
import type { RegisteredClaims, TokenProfile } from './token-profile.ts';
import { createTokenVerifier, type VerifyToken } from './verifier.ts';

const { it: long } = needs('night');
const clock = () => new Date(NOW * 1000);

const isNumberIn = (claims: unknown, name: 'exp' | 'iat'): boolean =>
  typeof claims === 'object' && claims !== null && typeof Reflect.get(claims, name) === 'number';

/** Requires only the registered claims, which jose checks as well. */
const anyJwt: TokenProfile<RegisteredClaims> = {
  kind: 'JWT',
  typ: ['JWT'],
  skewSeconds: 5,
  singleAudience: false,
  claims: z.custom<RegisteredClaims>((claims) => isNumberIn(claims, 'exp') && isNumberIn(claims, 'iat')),
};

/** The claims of a token that is accepted, or why it is refused */
type Outcome = { readonly claims: unknown } | { readonly refused: string };

const outcomeHere = (verify: VerifyToken<RegisteredClaims>, token: string): Promise<Outcome> =>
  verify(token).then(
    ({ claims }) => ({ claims }),
    (err: unknown) => ({ refused: err instanceof TokenRefused ? err.reason : 'keys unavailable' }),
  );

const outcomeByJose = (keys: JWTVerifyGetKey, token: string): Promise<Outcome> =>
  jwtVerify(token, keys, {
    issuer: ISSUER,
    audience: AUDIENCE,
    algorithms: ASYMMETRIC_ALGORITHMS,
    typ: 'JWT',
    requiredClaims: ['exp'],
    maxTokenAge: 1e12, // otherwise jose does not check `iat`
    clockTolerance: anyJwt.skewSeconds,
    currentDate: clock(),
  }).then(
    ({ payload }) => ({ claims: payload }),
    (err: unknown) => ({ refused: String(err) }),
  );

/**
 * Returns true for tokens that jose accepts and we do not: with a `kid` that is not a string (RFC 7515 §4.1.4), or with
 * a signature whose last base64url character has unused bits set.
 */
function isStricter(token: string): boolean {
  const signature = token.slice(token.lastIndexOf('.') + 1);
  if (Buffer.from(signature, 'base64url').toString('base64url') !== signature) return true;
  const { kid }: { kid?: unknown } = decodeProtectedHeader(token);
  return kid !== undefined && typeof kid !== 'string';
}

const isSame = (ours: Outcome, byJose: Outcome, token: string): boolean =>
  'claims' in byJose
    ? isDeepStrictEqual(ours, byJose) || ('refused' in ours && isStricter(token))
    : 'refused' in ours;

/**
 * Verifies generated tokens here and by jose. `compare(1, seed)` repeats a failed comparison.
 * @returns the number of tokens for each outcome of our verifier
 * @throws {Error} for a token that only one of the two accepts, or for which they return different claims
 */
async function compare(
  count: number,
  firstSeed = Number(process.env.PROPERTY_SEED || randomInt(2 ** 31)),
): Promise<Map<string, number>> {
  const { keySets, generate } = createTokenGenerator();
  const verifiers = keySets.map((jwks) => {
    const keys = createLocalJWKSet(jwks);
    const issuers = [{ issuer: ISSUER, keys }];
    return { keys, verify: createTokenVerifier(anyJwt, { issuers, audience: AUDIENCE, clock }) };
  });
  const seen = new Map<string, number>();
  for (let seed = firstSeed; seed < firstSeed + count; seed += 1) {
    const verifier = verifiers[seed % verifiers.length];
    if (!verifier) throw new Error('no key set');
    const { token, history } = generate(seed);
    const ours = await outcomeHere(verifier.verify, token);
    const byJose = await outcomeByJose(verifier.keys, token);
    if (!isSame(ours, byJose, token))
      throw new Error(
        `seed ${seed}: ${history.join(', ')}\nhere: ${JSON.stringify(ours)}\njose: ${JSON.stringify(byJose)}\n${token}`,
      );
    const name = 'refused' in ours ? ours.refused : 'accepted';
    seen.set(name, (seen.get(name) ?? 0) + 1);
  }
  return seen;
}

const OUTCOMES = [
  ...['accepted', 'too_large', 'malformed', 'algorithm', 'critical_header', 'typ', 'issuer', 'key'],
  ...['signature', 'claims', 'audience', 'expired', 'not_yet_valid', 'keys unavailable'],
];

it('accepts and refuses what jose does, with the same claims', async () => {
  const seen = await compare(2000);
  expect(seen.get('accepted')).toBeGreaterThan(100);
});

long(
  'agrees with jose on 100,000 tokens, among which every outcome occurs',
  async () => {
    const seen = await compare(100_000);
    expect([...seen.keys()].sort()).toEqual([...OUTCOMES].sort());
    expect(seen.get('accepted')).toBeGreaterThan(6000);
  },
  600_000,
);
