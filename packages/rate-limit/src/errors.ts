/** Too many requests; the application defines the response. */
export class RateLimitExceeded extends Error {
  override readonly name = 'RateLimitExceeded';
  constructor(
    /** Seconds until the window ends, at least 1 */
    readonly retryAfterSeconds: number,
    /** The plan whose limit was reached; undefined where the client's address was limited */
    readonly policy?: string,
  ) {
    super(`rate limit exceeded${policy === undefined ? '' : ` (${policy})`}`);
  }
}
