import { OAuthError } from './errors.ts';

const FORM = 'application/x-www-form-urlencoded';
/** Also as the last of two: a browser joins them where an application has set one and its library another (MCP Inspector 1). */
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

/** Counts clients that fail to authenticate, by their address; the failure limiter of `@legate/rate-limit` fits. */
export interface AuthenticationFailures {
  /** @returns seconds until requests from this address are taken again, or 0 */
  blockedSeconds(address: string | undefined): number;
  recordFailure(address: string | undefined): Promise<void>;
}

/**
 * Refuses an address whose client authentication keeps failing, so that secrets cannot be guessed (OAuth 2.1 §2.4).
 * @throws {OAuthError} `temporarily_unavailable` as 429 with `Retry-After`
 */
export function refuseBlocked(failures: AuthenticationFailures, address: string | undefined): void {
  const seconds = failures.blockedSeconds(address);
  if (seconds > 0)
    throw new OAuthError('temporarily_unavailable', 'too many failed authentications', {
      status: 429,
      headers: { 'Retry-After': String(seconds) },
    });
}

/** Records a failed client authentication. A limiter that fails must not fail a request that is answered already. */
export function recordIfFailed(
  failures: AuthenticationFailures,
  address: string | undefined,
  status: number,
): void {
  if (status === 401) failures.recordFailure(address).catch(() => {});
}
