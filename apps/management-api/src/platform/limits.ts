import {
  countDecisions,
  createFailureLimiter,
  createRateLimiter,
  type FailureLimiter,
  type RateLimiter,
} from '@legate/rate-limit';
import { Counter, failingGauge, rateLimitDecisions } from '@legate/service';
import type { Platform } from './platform.ts';

/**
 * Each process allows a quarter of the limit while Redis is down, because a flood would target the creation of
 * organizations.
 */
const ONBOARDING_DIVISOR = 4;
const ONBOARDING_WINDOW_SECONDS = 600;

export interface Limits {
  /** Counts requests, in windows of a minute. */
  readonly limiter: RateLimiter;
  /** Counts sign-ins and creations of organizations, in windows of ten minutes. */
  readonly attempts: RateLimiter;
  /** Called with each decision of a limit. */
  readonly decisions: (limit: string) => (decision: 'allowed' | 'refused') => void;
}

/** Opens the rate limiters, which count in Redis, or in this process while Redis fails. */
export function openLimits({ redis, clock, log, metrics: { registry } }: Platform): Limits {
  const degraded = new Counter({
    name: 'rate_limit_degraded_total',
    help: 'Failures of Redis after which this process counted requests on its own',
    registers: [registry],
  });
  const degradedNow = failingGauge(registry, {
    name: 'rate_limit_degraded',
    help: '1 while Redis fails and this process counts requests on its own',
    clock,
  });
  const onDegraded = (err: unknown) => {
    degraded.inc();
    degradedNow.failed();
    log.warn({ err }, 'rate limits are counted in this process');
  };
  const decisions = rateLimitDecisions(registry);
  const attempts = createRateLimiter({
    redis,
    clock,
    degradedDivisor: ONBOARDING_DIVISOR,
    windowSeconds: ONBOARDING_WINDOW_SECONDS,
    onDegraded,
  });
  return {
    limiter: createRateLimiter({ redis, clock, onDegraded }),
    attempts: countDecisions(attempts, decisions('onboarding')),
    decisions,
  };
}

/** Returns the limiter of requests, whose decisions are counted under this limit. */
export const limiterOf = ({ limiter, decisions }: Limits, limit: string): RateLimiter =>
  countDecisions(limiter, decisions(limit));

/** Returns a limiter of failed authentications. */
export const failuresAt = (keyPrefix: string, limits: Limits, clock: () => Date): FailureLimiter =>
  createFailureLimiter({ limiter: limiterOf(limits, 'failures'), clock, keyPrefix });
