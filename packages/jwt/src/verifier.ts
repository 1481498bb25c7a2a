import { errors } from 'jose';
import { KeysUnavailable, TokenRefused } from './errors.ts';
import {
  checkCritical,
  isJwsAlgorithm,
  type JwsAlgorithm,
  readJwt,
  type UnverifiedJwt,
  verifyJws,
} from './jws.ts';
import type { KeyLookup } from './key-set.ts';
import type { RegisteredClaims, TokenProfile } from './token-profile.ts';

const MAX_TOKEN_LENGTH = 16_384;

export interface TrustedIssuer {
  /** Compared with `iss` as a plain string, never normalised. */
  readonly issuer: string;
  readonly keys: KeyLookup;
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
 * @throws {KeysUnavailable} the issuer's keys are unavailable
 * @see RFC 8725 §3
 */
export function createTokenVerifier<Claims extends RegisteredClaims>(
  profile: TokenProfile<Claims>,
  options: {
    issuers: readonly TrustedIssuer[];
    /** Accepted values of `aud`; the token must carry one of them. */
    audience: string | readonly string[];
    clock: () => Date;
  },
): VerifyToken<Claims> {
  const keysByIssuer = new Map(options.issuers.map(({ issuer, keys }) => [issuer, keys]));
  const audience = typeof options.audience === 'string' ? [options.audience] : [...options.audience];
  const { skewSeconds } = profile;

  return async (token) => {
    if (token.length > MAX_TOKEN_LENGTH) throw new TokenRefused('too_large');
    const jwt = readJwt(token);
    const { issuer, keys, alg, kid } = findTrustedIssuer(jwt, profile, keysByIssuer);
    const nowSeconds = epochSeconds(options.clock());
    try {
      verifyJws(alg, await keys(kid === undefined ? { alg } : { alg, kid }), jwt);
    } catch (err) {
      throw toRefusal(err, issuer);
    }
    profile.checkSigned?.(jwt.claims);
    checkRegisteredClaims(jwt.claims, { audience, nowSeconds, skewSeconds });

    const parsed = profile.claims.safeParse(jwt.claims);
    if (!parsed.success) {
      const paths = parsed.error.issues.map((issue) => issue.path.join('.')).join(' ');
      throw new TokenRefused('claims', { detail: paths });
    }
    const claims = parsed.data;
    if (profile.singleAudience && Array.isArray(claims.aud) && claims.aud.length !== 1) {
      throw new TokenRefused('audience', { detail: 'more than one' });
    }
    if (claims.iat > nowSeconds + skewSeconds) throw new TokenRefused('not_yet_valid', { detail: 'iat' });
    if (profile.maxLifetimeSeconds !== undefined && claims.exp - claims.iat > profile.maxLifetimeSeconds) {
      throw new TokenRefused('lifetime');
    }
    return { claims, acceptedUntil: claims.exp + skewSeconds };
  };
}

/** Checks everything that needs no key, so that a token of an unknown issuer never causes a fetch. */
function findTrustedIssuer(
  { header, claims }: UnverifiedJwt,
  profile: TokenProfile<RegisteredClaims>,
  keysByIssuer: ReadonlyMap<string, KeyLookup>,
): TrustedIssuer & { alg: JwsAlgorithm; kid: string | undefined } {
  const { alg, kid, typ } = header;
  const { iss: issuer } = claims;
  // RFC 7515 §4.1.4
  if (kid !== undefined && typeof kid !== 'string') throw new TokenRefused('malformed');
  checkCritical(header);
  if (!profile.typ.some((expected) => sameType(typ, expected))) throw new TokenRefused('typ');
  if (!isJwsAlgorithm(alg)) throw new TokenRefused('algorithm');
  const keys = typeof issuer === 'string' ? keysByIssuer.get(issuer) : undefined;
  if (typeof issuer !== 'string' || !keys) throw new TokenRefused('issuer');
  return { issuer, keys, alg, kid };
}

/** RFC 7515 §4.1.9: case is not significant and `application/` may be left out. */
function sameType(typ: unknown, expected: string | undefined): boolean {
  if (typ === undefined || expected === undefined) return typ === expected;
  if (typeof typ !== 'string') return false;
  return typ.toLowerCase().replace(/^application\//, '') === expected.toLowerCase();
}

/**
 * RFC 7519 §4.1. The profile defines which claims are required and their types. An expired token is reported as
 * expired, even if something else is wrong with it. The comparisons are false for an invalid clock.
 */
function checkRegisteredClaims(
  claims: UnverifiedJwt['claims'],
  expected: { audience: readonly unknown[]; nowSeconds: number; skewSeconds: number },
): void {
  const { audience, nowSeconds, skewSeconds } = expected;
  if (![claims.aud].flat().some((aud) => audience.includes(aud))) throw new TokenRefused('audience');
  const time = (name: 'iat' | 'nbf' | 'exp'): number | undefined => {
    const value = claims[name];
    if (value === undefined || typeof value === 'number') return value;
    throw new TokenRefused('claims', { detail: name });
  };
  time('iat');
  const nbf = time('nbf');
  if (nbf !== undefined && !(nbf <= nowSeconds + skewSeconds)) throw new TokenRefused('not_yet_valid');
  const exp = time('exp');
  if (exp !== undefined && !(exp > nowSeconds - skewSeconds)) throw new TokenRefused('expired');
}

function toRefusal(err: unknown, issuer: string): Error {
  if (err instanceof KeysUnavailable || err instanceof TokenRefused) return err;
  if (err instanceof errors.JWKSNoMatchingKey || err instanceof errors.JWKSMultipleMatchingKeys)
    return new TokenRefused('key', { cause: err });
  // The remaining errors come from the issuer's key set: a time-out, an invalid document, an unusable key.
  return new KeysUnavailable(issuer, { cause: err });
}

/** @returns whole seconds since the epoch, as JWT claims use them */
export function epochSeconds(date: Date): number {
  return Math.floor(date.getTime() / 1000);
}
