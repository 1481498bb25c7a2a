import { countDecisions, createFailureLimiter, createRateLimiter } from '@legate/rate-limit';
import type { RedisClient } from '@legate/secure-store';
import { failingGauge, type Logger, type Metrics, rateLimitDecisions } from '@legate/service';
import type { Config } from './config.ts';
import { createStrangers } from './limits/strangers.ts';

/** Calls that a process has on their way. Memory runs out before, unless they hang (docs/adr/0041). */
const MAX_CALLS = 2000;
/** Calls of one organization, unless it is the only one */
const MAX_CALLS_PER_ORGANIZATION = 500;
/** Streams of agents that are open in a process */
const MAX_STREAMS = 5000;
/** Streams of one organization, unless it is the only one */
const MAX_STREAMS_PER_ORGANIZATION = 500;
/** Streams of one user, who has a few MCP clients open at a time */
const MAX_STREAMS_PER_USER = 5;

/** Counters in Redis, or in this process while Redis fails. */
export function openLimits(
  config: Config,
  deps: { redis: RedisClient | undefined; clock: () => Date; log: Logger; metrics: Metrics },
) {
  const { redis, clock, log, metrics } = deps;
  const isSingle = config.SINGLE_ORGANIZATION;
  const decisions = rateLimitDecisions(metrics.registry);
  const degradedNow = failingGauge(metrics.registry, {
    name: 'rate_limit_degraded',
    help: '1 while Redis fails and this process counts requests for itself',
    clock,
  });
  const onDegraded = (err: unknown) => {
    degradedNow.failed();
    log.warn({ err }, 'rate limits are counted in this process');
  };
  const shared = (limit: string) =>
    countDecisions(createRateLimiter({ redis, clock, onDegraded }), decisions(limit));
  return {
    /** Limits what one user may request, such as examinations of connectors. */
    limiter: shared('requests'),
    /** Counts the requests of organizations by their plans. */
    planLimiter: shared('plan'),
    /** Counts failed token requests, in each process: it only has to make guessing hopeless, and floods cheap. */
    failures: createFailureLimiter({
      limiter: countDecisions(createRateLimiter({ clock }), decisions('failures')),
      clock,
    }),
    /** Divides among strangers what they may use, in each process. */
    strangers: createStrangers({ clock, onDecision: decisions('strangers') }),
    fairUse: {
      slots: {
        process: MAX_CALLS,
        organization: isSingle ? MAX_CALLS : MAX_CALLS_PER_ORGANIZATION,
        user: config.MAX_CALLS_PER_USER,
        // So that one agent of a user that runs wild leaves room for the others.
        agent: Math.ceil(config.MAX_CALLS_PER_USER / 2),
      },
      streams: {
        process: MAX_STREAMS,
        organization: isSingle ? MAX_STREAMS : MAX_STREAMS_PER_ORGANIZATION,
        user: MAX_STREAMS_PER_USER,
        agent: MAX_STREAMS_PER_USER,
      },
      requestsPerMinute: config.REQUESTS_PER_MINUTE,
      userSharePercent: config.USER_SHARE_PERCENT,
    },
  };
}
