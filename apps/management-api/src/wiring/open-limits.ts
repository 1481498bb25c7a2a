import { countDecisions, createRateLimiter } from '@legate/rate-limit';
import { Counter, failingGauge, type Logger, type Registry, rateLimitDecisions } from '@legate/service';

/** Creating organizations is what a flood would be after: while Redis is down, each process allows a quarter. */
const ONBOARDING_DIVISOR = 4;
const ONBOARDING_WINDOW_SECONDS = 600;

/** Opens the rate limiters, which count in Redis, or in this process while Redis fails. */
export function openLimits(options: {
  redis: Parameters<typeof createRateLimiter>[0]['redis'];
  clock: () => Date;
  log: Logger;
  registry: Registry;
}) {
  const { redis, clock, log, registry } = options;
  const degraded = new Counter({
    name: 'rate_limit_degraded_total',
    help: 'Failures of Redis after which this process counted requests for itself',
    registers: [registry],
  });
  const degradedNow = failingGauge(registry, {
    name: 'rate_limit_degraded',
    help: '1 while Redis fails and this process counts requests for itself',
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
    /** For requests, in windows of a minute */
    limiter: createRateLimiter({ redis, clock, onDegraded }),
    /** For sign-ins and creations of organizations */
    attempts: countDecisions(attempts, decisions('onboarding')),
    decisions,
  };
}
