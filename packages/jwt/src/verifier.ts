import { KeyObject } from 'node:crypto';
import { types } from 'node:util';
import { errors, type JWTVerifyGetKey } from 'jose';
import { type CompactJws, parseCompactJws } from './compact-jws.ts';
import { KeysUnavailable, TokenRefused } from './errors.ts';
import type { RegisteredClaims, TokenProfile } from './profiles.ts';
import { type Algorithm, ASYMMETRIC_ALGORITHMS, isAlgorithm, suits, verifySignature } from './signatures.ts';

export interface TrustedIssuer {
  /** Compared with `iss` as a plain string, never normalised. */
  readonly issuer: string;
  readonly keys: JWTVerifyGetKey;
}

export interface VerifiedToken<Claims> {
  readonly claims: Claims;
  /** Epoch seconds at which the token stops being accepted here: `exp` plus the profile's skew. */
  readonly acceptedUntil: number;
}

export type VerifyToken<Claims> = (token: string) => Promise<VerifiedToken<Claims>>;

/**
 * Verifies tokens of one kind: size and form, `alg`, `typ`, trusted `iss` (before any key is fetched), signature,
 * the presence and type of every claim of the profile, `aud`, and time under the injected clock.
 * Does not check replay, scopes, or whether the user is still active.
 * @throws {TokenRefused} the token is at fault
 * @throws {KeysUnavailable} the issuer's keys could not be had
 * @see RFC 7515 §5.2, RFC 7519 §7.2, RFC 8725 §3
 */
export function createTokenVerifier<Claims extends RegisteredClaims>(
  profile: TokenProfile<Claims>,
  options: {
    issuers: readonly TrustedIssuer[];
    /** Accepted values of `aud`; the token must carry one of them. */
    audience: string | readonly string[];
    clock: () => Date;
    algorithms?: readonly string[];
  },
): VerifyToken<Claims> {
  const keysByIssuer = new Map(options.issuers.map(({ issuer, keys }) => [issuer, keys]));
  const audiences = new Set([options.audience].flat());
  const algorithms = (options.algorithms ?? ASYMMETRIC_ALGORITHMS).filter(isAlgorithm);

  return async (token) => {
    const jws = parseCompactJws(token);
    const alg = algorithms.find((allowed) => allowed === jws.header.alg);
    if (!alg) throw new TokenRefused('algorithm');
    // RFC 7515 §4.1.11: we understand no extension, so whatever is critical is not understood.
    if (jws.header.crit !== undefined) throw new TokenRefused('critical_header');
    if (!profile.typ.some((typ) => sameType(jws.header.typ, typ))) throw new TokenRefused('typ');
    const { iss } = jws.payload;
    const keys = typeof iss === 'string' ? keysByIssuer.get(iss) : undefined;
    if (typeof iss !== 'string' || !keys) throw new TokenRefused('issuer');

    const key = await findKey(jws, alg, iss, keys);
    if (!verifySignature(alg, key, jws.signingInput, jws.signature)) throw new TokenRefused('signature');
    const claims = checkClaims(jws.payload, profile, audiences);
    checkTime(claims, profile, epochSeconds(options.clock()));
    return { claims, acceptedUntil: claims.exp + profile.skewSeconds };
  };
}

/** RFC 7515 §4.1.9: case is not significant and `application/` may be left out. */
function sameType(typ: unknown, expected: string | undefined): boolean {
  if (typ === undefined || expected === undefined) return typ === expected;
  if (typeof typ !== 'string') return false;
  return typ.toLowerCase().replace(/^application\//, '') === expected.toLowerCase();
}

/** Of the issuer, by `kid` and `alg`; a key that the header brings or points to is never looked at. */
async function findKey(
  jws: CompactJws,
  alg: Algorithm,
  issuer: string,
  keys: JWTVerifyGetKey,
): Promise<KeyObject> {
  const { kid } = jws.header;
  try {
    const found = await keys({ alg, ...(typeof kid === 'string' && { kid }) }, jws.encoded);
    return toPublicKey(found, alg);
  } catch (err) {
    if (err instanceof KeysUnavailable) throw err;
    if (err instanceof errors.JWKSNoMatchingKey || err instanceof errors.JWKSMultipleMatchingKeys)
      throw new TokenRefused('key', { cause: err });
    // What is left comes from reading the issuer's key set: a time-out, an invalid document, an unusable key.
    throw new KeysUnavailable(issuer, { cause: err });
  }
}

/** Keys that were found good for an algorithm, as node:crypto takes them: telling costs as much as a signature. */
const publicKeys = new WeakMap<object, { readonly alg: Algorithm; readonly key: KeyObject }>();

function toPublicKey(found: unknown, alg: Algorithm): KeyObject {
  if (typeof found !== 'object' || found === null) throw new TypeError('no key');
  const known = publicKeys.get(found);
  if (known?.alg === alg) return known.key;
  const key = types.isCryptoKey(found) ? KeyObject.from(found) : found;
  if (!types.isKeyObject(key) || key.type !== 'public' || !suits(key, alg))
    throw new TypeError(`not a public key for ${alg}`);
  publicKeys.set(found, { alg, key });
  return key;
}

function checkClaims<Claims extends RegisteredClaims>(
  payload: CompactJws['payload'],
  profile: TokenProfile<Claims>,
  audiences: ReadonlySet<unknown>,
): Claims {
  const given = [payload.aud].flat();
  if (!given.some((audience) => audiences.has(audience))) throw new TokenRefused('audience');
  if (profile.singleAudience && given.length !== 1)
    throw new TokenRefused('audience', { detail: 'more than one' });
  const parsed = profile.claims.safeParse(payload);
  if (parsed.success) return parsed.data;
  const paths = parsed.error.issues.map((issue) => issue.path.join('.')).join(' ');
  throw new TokenRefused('claims', { detail: paths });
}

/** RFC 7519 §4.1.4 to §4.1.6, in whole seconds. */
function checkTime(claims: RegisteredClaims, profile: TokenProfile<RegisteredClaims>, now: number): void {
  const { skewSeconds, maxLifetimeSeconds } = profile;
  if (claims.exp <= now - skewSeconds) throw new TokenRefused('expired');
  if (claims.nbf !== undefined && claims.nbf > now + skewSeconds)
    throw new TokenRefused('not_yet_valid', { detail: 'nbf' });
  if (claims.iat > now + skewSeconds) throw new TokenRefused('not_yet_valid', { detail: 'iat' });
  if (maxLifetimeSeconds !== undefined && claims.exp - claims.iat > maxLifetimeSeconds)
    throw new TokenRefused('lifetime');
}

/** @returns whole seconds since the epoch, as JWT claims use them */
export function epochSeconds(date: Date): number {
  return Math.floor(date.getTime() / 1000);
}
