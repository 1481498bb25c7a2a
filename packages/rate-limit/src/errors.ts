import type { LimitScope } from './fair-share.ts';

/** An error for too many requests; the application defines the response. */
export class RateLimitExceeded extends Error {
  override readonly name = 'RateLimitExceeded';
  constructor(
    /** Seconds until the window ends, at least 1 */
    readonly retryAfterSeconds: number,
    /** The plan whose limit was reached; undefined if the limit was that of the client's address */
    readonly policy?: string,
    /** The limit that was reached, if an organization's callers share one */
    readonly scope?: LimitScope,
  ) {
    super(`rate limit exceeded${policy === undefined ? '' : ` (${policy})`}`);
  }
}
