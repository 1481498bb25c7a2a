import type { ClientAuthMethod } from './client-authentication.ts';
import { OAuthError } from './errors.ts';

const FORM = 'application/x-www-form-urlencoded';
/**
 * The form's media type, also as the second of two: browsers join the header that an application sets and that of its
 * library (MCP Inspector 1).
 */
const FORM_TYPE = /(?:^|,[ \t]*)application\/x-www-form-urlencoded[ \t]*(;[^,]*)?$/i;
/** An ID-JAG takes about 1 KB; 64 KB leave room for client assertions and large group lists. */
export const MAX_FORM_BYTES = 65_536;

/** RFC 6749 §5.1: responses of a token endpoint must not be cached, because they contain or concern secrets. */
export const NO_STORE = { 'Cache-Control': 'no-store', Pragma: 'no-cache' } as const;

/**
 * Checks a token request before its body is read: only POST with a form is accepted.
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
 * The method of an assertion that was refused. It cannot be guessed, and anybody can send one in a client's name, so it
 * is counted separately from the client's valid assertions.
 */
export type BadAssertion = 'bad_assertion';

/** A token request before its client is authenticated */
export interface TokenAttempt {
  /** The client that the request claims to come from; empty if it names none */
  readonly client?: string | undefined;
  readonly method?: ClientAuthMethod | BadAssertion | undefined;
  readonly secret?: string | undefined;
  /** Returns true for a code or token that this server has given to that client; called only for a blocked sender */
  readonly isKnown?: (() => boolean | Promise<boolean>) | undefined;
}

/**
 * Counts failed token requests, by address and claimed client. The failure limiter of `@legate/rate-limit` implements
 * this.
 */
export interface AuthenticationFailures {
  /** @returns seconds until such requests are accepted again, or 0 */
  blockedSeconds(address: string | undefined, attempt?: TokenAttempt): number | Promise<number>;
  recordFailure(address: string | undefined, attempt?: TokenAttempt): Promise<void>;
  /**
   * Called for each request whose client was authenticated, so that later the client is not blocked by the failures of
   * others.
   */
  recordSuccess?(address: string | undefined, attempt: TokenAttempt): void;
}

/** Rules for what the status of a response means for the client */
export interface Outcomes {
  /** Returns true for a status that counts as a failure. Default: 401, where somebody may be guessing a secret */
  readonly isFailure?: ((status: number) => boolean) | undefined;
  /**
   * True for token revocation, which returns 200 for any token (RFC 7009 §2.2). So a success does not prove a public
   * client's identity.
   */
  readonly takesAnyToken?: boolean | undefined;
}

/**
 * Refuses requests of a sender that keeps failing, so that secrets cannot be guessed (OAuth 2.1 §2.4).
 * @returns a function to be called with the status of the response
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
    // An error of the limiter must not fail a request whose response is already known.
    if (isFailure(status)) failures.recordFailure(address, failed(attempt, status)).catch(() => {});
    else if (status === 200 && isProof) failures.recordSuccess?.(address, attempt);
  };
}

const failed = (attempt: TokenAttempt, status: number): TokenAttempt =>
  status === 401 && attempt.method === 'private_key_jwt' ? { ...attempt, method: 'bad_assertion' } : attempt;
