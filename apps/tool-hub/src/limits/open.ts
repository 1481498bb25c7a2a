import type { AuthenticationFailures } from '@legate/oauth/express';
import {
  countDecisions,
  createFailureLimiter,
  createRateLimiter,
  createSlots,
  type RateLimiter,
} from '@legate/rate-limit';
import { failingGauge, rateLimitDecisions } from '@legate/service';
import type { ConnectorRegistry } from '../domain/registry.ts';
import type { Platform } from '../platform/platform.ts';
import { type CountRequest, createRequestCounter, type FairUseLimits } from './fair-use.ts';
import type { LimitsSettings } from './settings.ts';
import { createStrangers, type Strangers } from './strangers.ts';

/** Maximum concurrent calls of a process. Memory is exhausted earlier, unless the calls hang (docs/adr/0041). */
const MAX_CALLS = 2000;
/** Maximum concurrent calls of one organization, unless it is the only one */
const MAX_CALLS_PER_ORGANIZATION = 500;
/** Share of an organization's concurrent calls that one user may have */
const USER_PART = 0.1;
/** Maximum open streams of agents in a process */
const MAX_STREAMS = 5000;
/** Maximum open streams of one organization, unless it is the only one */
const MAX_STREAMS_PER_ORGANIZATION = 500;
/** Maximum open streams of one user, who has a few MCP clients open at a time */
const MAX_STREAMS_PER_USER = 5;

export interface Limits {
  /** Limits what one user may request, such as examinations of connectors. */
  readonly limiter: RateLimiter;
  /** Counts the requests of organizations by their plans. */
  readonly planLimiter: RateLimiter;
  /** Counts clients that fail to authenticate, and limits them. */
  readonly failures: AuthenticationFailures;
  /** Divides the requests that strangers may make among them. */
  readonly strangers: Strangers;
  readonly fairUse: FairUseLimits;
}

/** Opens the counters, in Redis or in this process while Redis fails. */
export function openLimits(platform: Platform, settings: LimitsSettings): Limits {
  const { redis, clock, log, metrics } = platform;
  const isSingle = settings.SINGLE_ORGANIZATION;
  const callsPerOrganization = isSingle ? MAX_CALLS : MAX_CALLS_PER_ORGANIZATION;
  const callsPerUser = callsPerOrganization * USER_PART;
  const decisions = rateLimitDecisions(metrics.registry);
  const degradedNow = failingGauge(metrics.registry, {
    name: 'rate_limit_degraded',
    help: '1 while Redis fails and this process counts requests on its own',
    clock,
  });
  const onDegraded = (err: unknown) => {
    degradedNow.failed();
    log.warn({ err }, 'rate limits are counted in this process alone');
  };
  const shared = (limit: string) =>
    countDecisions(createRateLimiter({ redis, clock, onDegraded }), decisions(limit));
  return {
    limiter: shared('requests'),
    planLimiter: shared('plan'),
    // Counted in each process separately, which is enough to make guessing hopeless and floods cheap to handle.
    failures: createFailureLimiter({
      limiter: countDecisions(createRateLimiter({ clock }), decisions('failures')),
      clock,
    }),
    strangers: createStrangers({ clock, onDecision: decisions('strangers') }),
    fairUse: {
      slots: {
        process: MAX_CALLS,
        organization: callsPerOrganization,
        user: callsPerUser,
        // An agent of a user that runs out of control leaves room for the user's others.
        agent: callsPerUser / 2,
      },
      streams: {
        process: MAX_STREAMS,
        organization: isSingle ? MAX_STREAMS : MAX_STREAMS_PER_ORGANIZATION,
        user: MAX_STREAMS_PER_USER,
        agent: MAX_STREAMS_PER_USER,
      },
      requestsPerMinute: settings.REQUESTS_PER_MINUTE,
    },
  };
}

/** Admits callers within the plan of their organization and the slots of this process. */
export const openRequestCounter = (
  { clock, metrics }: Platform,
  { planLimiter, fairUse }: Pick<Limits, 'planLimiter' | 'fairUse'>,
  registry: ConnectorRegistry,
): CountRequest =>
  createRequestCounter({
    limiter: planLimiter,
    slots: createSlots(),
    streamSlots: createSlots(),
    registry,
    limits: fairUse,
    clock,
    metrics: metrics.registry,
  });
