import { createLocalJWKSet, decodeJwt, errors, type JSONWebKeySet, jwtVerify } from 'jose';
import { CliError } from '../command-line/cli-error.ts';
import { EXIT } from '../command-line/exit-codes.ts';
import type { Io } from '../terminal/io.ts';
import { plain } from '../terminal/plain.ts';
import { isLoopback, isSameUrl } from './addresses.ts';

export type Verdict =
  | { readonly isValid: true; readonly issuer: string }
  | { readonly isValid: false; readonly issuer: string; readonly reason: string };

const MAX_BYTES = 200_000;
const TIME_LIMIT_MS = 10_000;
const METADATA = ['/.well-known/oauth-authorization-server', '/.well-known/openid-configuration'] as const;
const ALGORITHMS = ['RS256', 'PS256', 'ES256', 'ES384', 'Ed25519', 'EdDSA'];

/**
 * Verifies signature, issuer and times of a token with the issuer's published keys. Does not check the audience,
 * because a person who inspects a token is not its audience.
 * @throws {CliError} 5 if the keys cannot be read
 */
export async function verify(io: Io, token: string, issuer: string): Promise<Verdict> {
  const claimed = claimedIssuer(token);
  const keys = createLocalJWKSet(await readKeys(io, issuer, claimed));
  const expected = claimed !== undefined && isSameUrl(claimed, issuer) ? claimed : issuer;
  try {
    await jwtVerify(token, keys, { issuer: expected, algorithms: ALGORITHMS, currentDate: io.clock() });
    return { isValid: true, issuer: expected };
  } catch (err) {
    if (!(err instanceof errors.JOSEError)) throw err;
    return { isValid: false, issuer, reason: reasonOf(err, claimed) };
  }
}

/** Returns the issuer in the token, unverified. */
function claimedIssuer(token: string): string | undefined {
  try {
    return decodeJwt(token).iss;
  } catch {
    return undefined;
  }
}

function reasonOf(err: errors.JOSEError, claimed: string | undefined): string {
  if (err instanceof errors.JWTExpired) return 'it has expired';
  if (err instanceof errors.JWTClaimValidationFailed)
    return err.claim === 'iss'
      ? `its issuer is ${claimed === undefined ? 'not named' : plain(claimed)}`
      : `its claim ${err.claim} is not valid`;
  if (err instanceof errors.JWKSNoMatchingKey) return 'the issuer has no such key';
  if (err instanceof errors.JWSSignatureVerificationFailed) return 'its signature is wrong';
  return err.message;
}

async function readKeys(io: Io, issuer: string, claimed: string | undefined): Promise<JSONWebKeySet> {
  for (const path of METADATA) {
    const { origin, pathname } = new URL(issuer);
    const tenant = pathname.replace(/\/$/, '');
    // RFC 8414 §3.1 inserts the well-known path before the path of the issuer, OpenID Connect Discovery §4 appends it.
    const url = path === METADATA[0] ? `${origin}${path}${tenant}` : `${origin}${tenant}${path}`;
    const metadata = await getJson(io, url);
    const { jwks_uri: jwksUri } = Object(metadata);
    if (typeof jwksUri !== 'string') continue;
    if (!/^https:/.test(jwksUri) && !isLoopback(jwksUri)) break;
    const jwks = await getJson(io, jwksUri);
    if (Array.isArray(Object(jwks).keys)) return jwks as JSONWebKeySet;
  }
  throw new CliError({
    exitCode: EXIT.unavailable,
    code: 'keys_unavailable',
    message: `The keys of ${issuer} cannot be read.`,
    next:
      claimed === undefined || claimed === issuer
        ? 'legate decode - without --issuer, which verifies nothing'
        : `legate decode - --issuer ${plain(claimed)}, the issuer that the token names, if you trust it`,
  });
}

/** Returns undefined for anything but a JSON document of a reasonable size. */
async function getJson({ fetch, signal }: Io, url: string): Promise<unknown> {
  try {
    const response = await fetch(url, {
      headers: { Accept: 'application/json' },
      redirect: 'error',
      signal: AbortSignal.any([signal, AbortSignal.timeout(TIME_LIMIT_MS)]),
    });
    if (!response.ok || !response.body) return undefined;
    const chunks: Uint8Array[] = [];
    let size = 0;
    for await (const chunk of response.body) {
      size += chunk.length;
      if (size > MAX_BYTES) return undefined;
      chunks.push(chunk);
    }
    return JSON.parse(Buffer.concat(chunks).toString('utf8'));
  } catch {
    signal.throwIfAborted();
    return undefined;
  }
}
