import { decodeJwt, decodeProtectedHeader, errors, type JWTVerifyGetKey, jwtVerify } from 'jose';
import { KeysUnavailable, TokenRefused } from '../errors.ts';
import type { RegisteredClaims, TokenProfile } from '../profiles.ts';
import { epochSeconds, type VerifyToken } from '../verifier.ts';

const ALGORITHMS = ['ES256', 'ES384', 'PS256', 'RS256', 'EdDSA', 'Ed25519'];
const COMPACT_JWS = /^[A-Za-z0-9_-]+\.[A-Za-z0-9_-]+\.[A-Za-z0-9_-]+$/;

/** `createTokenVerifier` as it was when jose read and verified all tokens: the judge of the present one (ADR 0062). */
export function createVerifierByJose<Claims extends RegisteredClaims>(
  profile: TokenProfile<Claims>,
  options: { issuer: string; keys: JWTVerifyGetKey; audience: string[]; clock: () => Date },
): VerifyToken<Claims> {
  const { issuer, audience } = options;
  const { skewSeconds, maxLifetimeSeconds } = profile;
  return async (token) => {
    if (token.length > 16_384) throw new TokenRefused('too_large');
    checkBeforeKeys(token, profile, issuer);
    const now = options.clock();
    const { payload } = await jwtVerify(token, options.keys, {
      issuer,
      audience,
      algorithms: ALGORITHMS,
      clockTolerance: skewSeconds,
      currentDate: now,
    }).catch((err: unknown) => {
      const isSignedWell = err instanceof errors.JWTExpired || err instanceof errors.JWTClaimValidationFailed;
      throw isSignedWell && hasOtherSpelling(token) ? new TokenRefused('signature') : toRefusal(err, issuer);
    });
    if (hasOtherSpelling(token)) throw new TokenRefused('signature');
    const parsed = profile.claims.safeParse(payload);
    if (!parsed.success) throw new TokenRefused('claims');
    const claims = parsed.data;
    if (profile.singleAudience && Array.isArray(claims.aud) && claims.aud.length !== 1)
      throw new TokenRefused('audience');
    if (claims.iat > epochSeconds(now) + skewSeconds) throw new TokenRefused('not_yet_valid');
    if (maxLifetimeSeconds !== undefined && claims.exp - claims.iat > maxLifetimeSeconds)
      throw new TokenRefused('lifetime');
    return { claims, acceptedUntil: claims.exp + skewSeconds };
  };
}

/** jose takes a signature whose last character has bits that no byte uses: the same token in up to sixteen ways. */
function hasOtherSpelling(token: string): boolean {
  const signature = token.slice(token.lastIndexOf('.') + 1);
  return Buffer.from(signature, 'base64url').toString('base64url') !== signature;
}

function checkBeforeKeys(token: string, profile: TokenProfile<RegisteredClaims>, issuer: string): void {
  if (!COMPACT_JWS.test(token)) throw new TokenRefused('malformed');
  let header: ReturnType<typeof decodeProtectedHeader>;
  let iss: unknown;
  try {
    header = decodeProtectedHeader(token);
    iss = decodeJwt(token).iss;
  } catch (cause) {
    throw new TokenRefused('malformed', { cause });
  }
  const { kid, typ }: { kid?: unknown; typ?: unknown } = header;
  if (kid !== undefined && typeof kid !== 'string') throw new TokenRefused('malformed');
  const name = typeof typ === 'string' ? typ.toLowerCase().replace(/^application\//, '') : typ;
  if (!profile.typ.some((expected) => name === expected?.toLowerCase())) throw new TokenRefused('typ');
  if (!header.alg || !ALGORITHMS.includes(header.alg)) throw new TokenRefused('algorithm');
  if (iss !== issuer) throw new TokenRefused('issuer');
}

function toRefusal(err: unknown, issuer: string): Error {
  if (err instanceof errors.JWTExpired) return new TokenRefused('expired');
  if (err instanceof errors.JWTClaimValidationFailed) {
    if (err.claim === 'aud') return new TokenRefused('audience');
    const isEarly = err.claim === 'nbf' && err.reason === 'check_failed';
    return new TokenRefused(isEarly ? 'not_yet_valid' : 'claims');
  }
  if (err instanceof errors.JWSSignatureVerificationFailed) return new TokenRefused('signature');
  if (err instanceof errors.JWKSNoMatchingKey || err instanceof errors.JWKSMultipleMatchingKeys)
    return new TokenRefused('key');
  if (err instanceof errors.JOSEAlgNotAllowed) return new TokenRefused('algorithm');
  if (err instanceof errors.JOSENotSupported) return new TokenRefused('critical_header');
  if (err instanceof errors.JWSInvalid || err instanceof errors.JWTInvalid)
    return new TokenRefused('malformed');
  return new KeysUnavailable(issuer, { cause: err });
}
