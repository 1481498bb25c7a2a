import { decodeJwt, decodeProtectedHeader, errors, type JWTVerifyGetKey, jwtVerify } from 'jose';
import { KeysUnavailable, TokenRefused } from './errors.ts';
import type { RegisteredClaims, TokenProfile } from './profiles.ts';

/** Asymmetric only: with an HMAC in the list, a public key could be used as the secret (RFC 8725 §2.1). */
export const ASYMMETRIC_ALGORITHMS = ['ES256', 'ES384', 'PS256', 'RS256', 'EdDSA', 'Ed25519'] as const;
const MAX_TOKEN_LENGTH = 16_384;
const COMPACT_JWS = /^[A-Za-z0-9_-]+\.[A-Za-z0-9_-]+\.[A-Za-z0-9_-]+$/;

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
    algorithms?: readonly string[];
  },
): VerifyToken<Claims> {
  const keysByIssuer = new Map(options.issuers.map(({ issuer, keys }) => [issuer, keys]));
  const audience = typeof options.audience === 'string' ? [options.audience] : [...options.audience];
  const algorithms = [...(options.algorithms ?? ASYMMETRIC_ALGORITHMS)];
  const { skewSeconds } = profile;

  return async (token) => {
    if (token.length > MAX_TOKEN_LENGTH) throw new TokenRefused('too_large');
    const issuer = readTrustedIssuer(token, profile, algorithms, keysByIssuer);
    const now = options.clock();
    const { payload } = await jwtVerify(token, issuer.keys, {
      issuer: issuer.issuer,
      audience,
      algorithms,
      clockTolerance: skewSeconds,
      currentDate: now,
    }).catch((err: unknown) => {
      throw toRefusal(err, issuer.issuer);
    });

    const parsed = profile.claims.safeParse(payload);
    if (!parsed.success) {
      const paths = parsed.error.issues.map((issue) => issue.path.join('.')).join(' ');
      throw new TokenRefused('claims', { detail: paths });
    }
    const claims = parsed.data;
    // jose passes an `aud` array when any element matches.
    if (profile.singleAudience && Array.isArray(claims.aud) && claims.aud.length !== 1) {
      throw new TokenRefused('audience', { detail: 'more than one' });
    }
    // jose checks `iat` only if a maximum age is set.
    if (claims.iat > epochSeconds(now) + skewSeconds)
      throw new TokenRefused('not_yet_valid', { detail: 'iat' });
    if (profile.maxLifetimeSeconds !== undefined && claims.exp - claims.iat > profile.maxLifetimeSeconds) {
      throw new TokenRefused('lifetime');
    }
    return { claims, acceptedUntil: claims.exp + skewSeconds };
  };
}

/** Checks everything that needs no key, so that a foreign token never makes us fetch one. */
function readTrustedIssuer(
  token: string,
  profile: TokenProfile<RegisteredClaims>,
  algorithms: readonly string[],
  keysByIssuer: ReadonlyMap<string, JWTVerifyGetKey>,
): TrustedIssuer {
  // Five parts would be an encrypted token, other characters a JSON serialization.
  if (!COMPACT_JWS.test(token)) throw new TokenRefused('malformed');
  let header: ReturnType<typeof decodeProtectedHeader>;
  let issuer: unknown;
  try {
    header = decodeProtectedHeader(token);
    issuer = decodeJwt(token).iss;
  } catch (cause) {
    throw new TokenRefused('malformed', { cause });
  }
  const { kid }: { kid?: unknown } = header;
  // RFC 7515 §4.1.4: jose passes over a `kid` of another kind, as if there were none, so each would name the same key.
  if (kid !== undefined && typeof kid !== 'string') throw new TokenRefused('malformed');
  if (!header.alg || !algorithms.includes(header.alg)) throw new TokenRefused('algorithm');
  if (!profile.typ.some((typ) => sameType(header.typ, typ))) throw new TokenRefused('typ');
  const keys = typeof issuer === 'string' ? keysByIssuer.get(issuer) : undefined;
  if (typeof issuer !== 'string' || !keys) throw new TokenRefused('issuer');
  return { issuer, keys };
}

/** RFC 7515 §4.1.9: case is not significant and `application/` may be left out. */
function sameType(typ: unknown, expected: string | undefined): boolean {
  if (typ === undefined || expected === undefined) return typ === expected;
  if (typeof typ !== 'string') return false;
  return typ.toLowerCase().replace(/^application\//, '') === expected.toLowerCase();
}

function toRefusal(err: unknown, issuer: string): Error {
  if (err instanceof KeysUnavailable) return err;
  if (err instanceof errors.JWTExpired) return new TokenRefused('expired', { cause: err });
  if (err instanceof errors.JWTClaimValidationFailed) {
    if (err.claim === 'aud') return new TokenRefused('audience', { cause: err });
    if (err.claim === 'nbf' && err.reason === 'check_failed')
      return new TokenRefused('not_yet_valid', { cause: err });
    return new TokenRefused('claims', { cause: err, detail: err.claim });
  }
  if (err instanceof errors.JWSSignatureVerificationFailed)
    return new TokenRefused('signature', { cause: err });
  if (err instanceof errors.JWKSNoMatchingKey || err instanceof errors.JWKSMultipleMatchingKeys) {
    return new TokenRefused('key', { cause: err });
  }
  if (err instanceof errors.JOSEAlgNotAllowed) return new TokenRefused('algorithm', { cause: err });
  if (err instanceof errors.JOSENotSupported) return new TokenRefused('critical_header', { cause: err });
  if (err instanceof errors.JWSInvalid || err instanceof errors.JWTInvalid) {
    return new TokenRefused('malformed', { cause: err });
  }
  // The remaining errors come from fetching the issuer's key set: a time-out, an invalid document, an unusable key.
  return new KeysUnavailable(issuer, { cause: err });
}

/** @returns whole seconds since the epoch, as JWT claims use them */
export function epochSeconds(date: Date): number {
  return Math.floor(date.getTime() / 1000);
}
