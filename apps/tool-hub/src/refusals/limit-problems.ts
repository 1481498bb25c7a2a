import type { Usage } from '@legate/rate-limit';
import type { Problem } from '@legate/service';
import { CallRefused } from './call-refused.ts';

/** @param whose owner of the share of the plan's requests that is used up */
export function rateLimitExceeded({ resetAfterSeconds }: Usage, whose: 'organization' | 'user'): CallRefused {
  const spent =
    whose === 'organization'
      ? 'The requests per minute of the organization are used up.'
      : 'Your share of the requests per minute of the organization is used up.';
  return new CallRefused({ leg: 'caller', rule: 'rate_limited', reason: whose }, 'rate_limit_exceeded', {
    detail: `${spent} Try again in ${resetAfterSeconds} s.`,
    headers: { 'Retry-After': String(resetAfterSeconds) },
    extensions: { retry_after: resetAfterSeconds },
  });
}

const RETRY_SECONDS = 1;

/**
 * Hints at a retry after one second, because it is unknown when a running call will end.
 * @param what name of what there are too many of
 */
export const concurrencyExceeded = (
  bound: 'process' | 'organization' | 'user' | 'agent',
  limit: number,
  what: 'running calls' | 'open streams',
): CallRefused =>
  new CallRefused({ leg: 'caller', rule: 'concurrency_exceeded', reason: bound }, 'concurrency_exceeded', {
    detail:
      bound === 'process'
        ? `The hub has reached its limit of ${limit} ${what}. Try again in a second.`
        : `This ${bound} has reached its limit of ${limit} ${what}. Try again when one has ended.`,
    headers: { 'Retry-After': String(RETRY_SECONDS) },
    extensions: { retry_after: RETRY_SECONDS },
  });

/** Seconds after which memory is probably free again: most requests are shorter. */
const RETRY_AFTER_SECONDS = 2;

/** The hub has no memory left for this request, or its caller has used up their share. */
export const hubBusy = (): Problem =>
  new CallRefused({ leg: 'hub', rule: 'memory_exhausted' }, 'hub_busy', {
    detail:
      'The hub has no memory left for this request at the moment, or you have used up your share. Try again.',
    headers: { 'Retry-After': String(RETRY_AFTER_SECONDS) },
  });
