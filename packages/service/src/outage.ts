/** What is known of a peer that gave no usable answer; nothing where there was none at all. */
export interface Outage {
  /** HTTP status of its answer */
  readonly status?: number | undefined;
  /** When it wants to be asked again, as far as we believe it */
  readonly retryAfterSeconds?: number | undefined;
  /** We have not tried to send it: the breaker is open, or too many requests are on their way. */
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
