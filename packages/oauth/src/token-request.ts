import type { ClientAuthMethod } from './client-authentication.ts';
import { OAuthError } from './errors.ts';

const FORM = 'application/x-www-form-urlencoded';
/** The form's media type, also as the second of two: browsers join an application's with its library's (MCP Inspector 1). */
const FORM_TYPE = /(?:^|,[ \t]*)application\/x-www-form-urlencoded[ \t]*(;[^,]*)?$/i;
/** An ID-JAG takes about 1 KB; 64 KB leave room for client assertions and large group lists. */
export const MAX_FORM_BYTES = 65_536;

/** RFC 6749 §5.1: responses of a token endpoint contain or concern secrets. */
export const NO_STORE = { 'Cache-Control': 'no-store', Pragma: 'no-cache' } as const;

/**
 * Admits a token request to the reading of its body: only POST, only a form.
 * @throws {OAuthError} `invalid_request` as 405 or 415
 */
export function checkTokenRequest(method: string, contentType: string | undefined): void {
  if (method !== 'POST')
    throw new OAuthError('invalid_request', `method ${method}`, { status: 405, headers: { Allow: 'POST' } });
  if (!FORM_TYPE.test(contentType ?? ''))
    throw new OAuthError('invalid_request', 'content type', {
      status: 415,
      headers: { 'Accept-Post': FORM },
    });
}

/**
 * The method of an assertion that was refused. There is nothing to guess, and anybody can write one in a client's name, so it
 * counts apart from the client's good ones.
 */
export type BadAssertion = 'bad_assertion';

/** A token request, as far as it is known before its client is authenticated */
export interface TokenAttempt {
  /** The client that the request claims to come from; empty if it names none */
  readonly client?: string | undefined;
  readonly method?: ClientAuthMethod | BadAssertion | undefined;
  readonly secret?: string | undefined;
  /** Returns true for a code or token that this server has given to that client; called only for a blocked sender */
  readonly isKnown?: (() => boolean | Promise<boolean>) | undefined;
}

/**
 * Counts token requests that fail, by the address and the client that they name. The failure limiter of `@legate/rate-limit`
 * fits.
 */
export interface AuthenticationFailures {
  /** @returns seconds until such requests are taken again, or 0 */
  blockedSeconds(address: string | undefined, attempt?: TokenAttempt): number | Promise<number>;
  recordFailure(address: string | undefined, attempt?: TokenAttempt): Promise<void>;
  /** Called for each request whose client was authenticated: it is not refused later for the failures of others. */
  recordSuccess?(address: string | undefined, attempt: TokenAttempt): void;
}

/** What responses reveal about the client */
export interface Outcomes {
  /** Returns true for a status that counts as a failure. Default: 401, where somebody may be guessing a secret */
  readonly isFailure?: ((status: number) => boolean) | undefined;
  /**
   * True for token revocation, which answers 200 to any token (RFC 7009 §2.2): that proves no client that only says who it
   * is.
   */
  readonly takesAnyToken?: boolean | undefined;
}

/**
 * Refuses what keeps failing, so that secrets cannot be guessed (OAuth 2.1 §2.4).
 * @returns call it with the status of the answer
 * @throws {OAuthError} `temporarily_unavailable` as 429 with `Retry-After`
 */
export async function limitFailures(
  failures: AuthenticationFailures,
  address: string | undefined,
  claimed: TokenAttempt,
  { isFailure = (status) => status === 401, takesAnyToken = false }: Outcomes = {},
): Promise<(status: number) => void> {
  const attempt = { client: '', ...claimed };
  const isProof = !takesAnyToken || (attempt.method !== undefined && attempt.method !== 'none');
  const seconds = await failures.blockedSeconds(address, attempt);
  if (seconds > 0)
    throw new OAuthError('temporarily_unavailable', 'too many failed requests', {
      status: 429,
      headers: { 'Retry-After': String(seconds) },
    });
  return (status) => {
    // A limiter that fails must not fail a request that is answered already.
    if (isFailure(status)) failures.recordFailure(address, failed(attempt, status)).catch(() => {});
    else if (status === 200 && isProof) failures.recordSuccess?.(address, attempt);
  };
}

const failed = (attempt: TokenAttempt, status: number): TokenAttempt =>
  status === 401 && attempt.method === 'private_key_jwt' ? { ...attempt, method: 'bad_assertion' } : attempt;
