/** Details of a peer's failure; empty if there was no response at all. */
export interface Outage {
  /** HTTP status of its response */
  readonly status?: number | undefined;
  /** Seconds after which the peer wants a retry, within our limit */
  readonly retryAfterSeconds?: number | undefined;
  /** The request was not sent: the breaker is open, or too many requests are running. */
  readonly isHeldBack?: boolean | undefined;
}

/**
 * Maximum of a peer's `Retry-After` that is passed on: a longer one would keep callers away after the peer has
 * recovered.
 */
const MAX_RETRY_AFTER_SECONDS = 60;

/**
 * Parses `Retry-After` in seconds (RFC 9110 §10.2.3). A date is ignored: the peer's clock may be wrong.
 * @returns undefined where there is none
 */
export function readRetryAfter(header: string | readonly string[] | null | undefined): number | undefined {
  return typeof header === 'string' && /^\d{1,9}$/.test(header)
    ? Math.min(Number(header), MAX_RETRY_AFTER_SECONDS)
    : undefined;
}

/** 429 concerns only the caller that sent too many requests: the peer may work for others. */
export const isOfPeer = ({ status }: Outage): boolean => status === undefined || status >= 500;
