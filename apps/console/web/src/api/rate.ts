/** The organization's quota as in the last response of the management API. */
export interface Rate {
  readonly limit: number;
  readonly remaining: number;
}

const USUAL_MS = 5000;
const SLOW_MS = 15_000;
/** Quota in requests per minute below which polling is slow */
const SMALL_LIMIT = 120;

/**
 * Returns the milliseconds after which a list may be fetched again, or `false` where polling stops: the
 * console shares the quota with everything else that its organization runs.
 */
export function pollingInterval(rate: Rate | undefined): number | false {
  if (!rate) return USUAL_MS;
  if (rate.remaining < rate.limit / 4) return false;
  return rate.limit < SMALL_LIMIT ? SLOW_MS : USUAL_MS;
}

/** Reads the quota from the headers of a response. */
export function rateOf(headers: Headers): Rate | undefined {
  const limit = Number(headers.get('x-ratelimit-limit') ?? Number.NaN);
  const remaining = Number(headers.get('x-ratelimit-remaining') ?? Number.NaN);
  return Number.isFinite(limit) && Number.isFinite(remaining) ? { limit, remaining } : undefined;
}
