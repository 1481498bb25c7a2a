import { randomInt } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import { expect, it } from '@jest/globals';
import { needs } from '@legate/testing';
import { createLocalJWKSet, type JSONWebKeySet } from 'jose';
import { TokenRefused } from './errors.ts';
import {
  accessToken,
  createTokenVerifier,
  idJag,
  idToken,
  KeysUnavailable,
  logoutToken,
  type RegisteredClaims,
  type TokenProfile,
  type VerifyToken,
} from './index.ts';
import { createTokenGenerator, type GeneratedToken } from './testing/generated-tokens.ts';
import { AUDIENCE, ISSUER, NOW } from './testing/scene.ts';
import { createVerifierByJose } from './testing/verify-by-jose.ts';

const { it: long } = needs('night');
const clock = () => new Date(NOW * 1000);
const PROFILES: readonly TokenProfile<RegisteredClaims>[] = [idToken, idJag, accessToken, logoutToken];

type Outcome = { claims: unknown; acceptedUntil: number } | { refused: string };

const outcomeOf = (verify: VerifyToken<RegisteredClaims>, token: string): Promise<Outcome> =>
  verify(token).catch((err: unknown) => {
    if (err instanceof TokenRefused) return { refused: err.reason };
    if (err instanceof KeysUnavailable) return { refused: 'keys unavailable' };
    throw err;
  });

/**
 * Verifies generated tokens here and by jose, whose answers must be the same.
 * `compare(1, seed)` repeats a failed comparison.
 * @returns how often each outcome came
 */
async function compare(
  count: number,
  firstSeed = Number(process.env.PROPERTY_SEED || randomInt(2 ** 31)),
): Promise<Map<string, number>> {
  const { keySets, generate } = createTokenGenerator();
  const pairs = PROFILES.map((profile) => keySets.map((jwks) => pairOf(profile, jwks)));
  const seen = new Map<string, number>();
  for (let seed = firstSeed; seed < firstSeed + count; seed += 1) {
    const pair = pairs[seed % PROFILES.length]?.[Math.floor(seed / PROFILES.length) % keySets.length];
    if (!pair) throw new Error('no such pair');
    const generated = generate(seed, pair.typ);
    const [ours, byJose] = await Promise.all([
      outcomeOf(pair.ours, generated.token),
      outcomeOf(pair.byJose, generated.token),
    ]);
    if (!isSame(ours, byJose, generated)) throw new Error(report(seed, generated, ours, byJose));
    const name = 'refused' in ours ? ours.refused : 'accepted';
    seen.set(name, (seen.get(name) ?? 0) + 1);
  }
  return seen;
}

function pairOf(profile: TokenProfile<RegisteredClaims>, jwks: JSONWebKeySet) {
  const keys = createLocalJWKSet(jwks);
  return {
    typ: profile.typ[0],
    ours: createTokenVerifier(profile, { issuers: [{ issuer: ISSUER, keys }], audience: AUDIENCE, clock }),
    byJose: createVerifierByJose(profile, { issuer: ISSUER, keys, audience: [AUDIENCE], clock }),
  };
}

/** A faulty `crit` is refused before the key and signature are looked at, by jose partly after; so its reason may differ. */
const isSame = (ours: Outcome, byJose: Outcome, { history }: GeneratedToken): boolean =>
  isDeepStrictEqual(ours, byJose) ||
  (history.includes('header: crit') && 'refused' in ours && 'refused' in byJose);

const report = (seed: number, { token, history }: GeneratedToken, ours: Outcome, byJose: Outcome): string =>
  `seed ${seed}: ${history.join(', ')}\nhere: ${JSON.stringify(ours)}\njose: ${JSON.stringify(byJose)}\n${token}`;

const OUTCOMES = [
  ...[
    'accepted',
    'too_large',
    'malformed',
    'algorithm',
    'critical_header',
    'typ',
    'issuer',
    'key',
    'signature',
  ],
  ...['claims', 'audience', 'expired', 'not_yet_valid', 'lifetime', 'keys unavailable'],
];

it('accepts and refuses what jose does, for the same reasons and with the same claims', async () => {
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
