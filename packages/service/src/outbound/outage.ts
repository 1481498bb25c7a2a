/** Details of a peer's failure; empty if there was no response at all. */
export interface Outage {
  /** HTTP status of its answer */
  readonly status?: number | undefined;
  /** Seconds after which the peer wants a retry, within our limit */
  readonly retryAfterSeconds?: number | undefined;
  /** The request was not sent: the breaker is open, or too many requests are running. */
  readonly isHeldBack?: boolean | undefined;
}

/** A peer's wish is passed on to callers up to this; a longer one would keep them away after it is back. */
const MAX_RETRY_AFTER_SECONDS = 60;

/**
 * RFC 9110 §10.2.3, in seconds. A date is not read: it would need the peer's clock to be right.
 * @returns undefined where there is none
 */
export function readRetryAfter(header: string | readonly string[] | null | undefined): number | undefined {
  return typeof header === 'string' && /^\d{1,9}$/.test(header)
    ? Math.min(Number(header), MAX_RETRY_AFTER_SECONDS)
    : undefined;
}

/** 429 is about who asks too much: others may find the peer well. */
export const isOfPeer = ({ status }: Outage): boolean => status === undefined || status >= 500;
