import type { RateLimiter } from '@legate/rate-limit';
import type { Problem } from '@legate/service';
import type { Caller } from '../domain/caller.ts';
import { problem } from '../domain/problem-codes.ts';

/**
 * Limits per user and minute, for all processes together, because each request costs the hub more than the user: an
 * examination is about twenty requests, a session is an entry stored for days, a link causes a page of the identity
 * provider.
 */
const PER_MINUTE = { examinations: 6, sessions: 30, links: 20 } as const;
/**
 * Requests per minute of a service at `/internal/v1`: stops a loop, but not an administrator who removes thousands of
 * users.
 */
export const INTERNAL_PER_MINUTE = 6000;

/** @throws {Problem} 429 `rate_limit_exceeded` */
export async function limitUser(
  limiter: RateLimiter,
  what: keyof typeof PER_MINUTE,
  { organizationId, userId }: Caller,
): Promise<void> {
  const limit = PER_MINUTE[what];
  const usage = await limiter.consume(JSON.stringify([what, organizationId, userId]), limit);
  if (usage.exceeded)
    throw tooMany(`A user is limited to ${limit} ${what} per minute.`, usage.resetAfterSeconds);
}

/** @throws {Problem} 429 `rate_limit_exceeded` */
export async function limitService(limiter: RateLimiter, clientId: string): Promise<void> {
  const usage = await limiter.consume(JSON.stringify(['service', clientId]), INTERNAL_PER_MINUTE);
  if (usage.exceeded)
    throw tooMany(
      `A service is limited to ${INTERNAL_PER_MINUTE} requests per minute.`,
      usage.resetAfterSeconds,
    );
}

const tooMany = (limit: string, seconds: number): Problem =>
  problem('rate_limit_exceeded', {
    detail: `${limit} Try again in ${seconds} s.`,
    headers: { 'Retry-After': String(seconds) },
    extensions: { retry_after: seconds },
  });
