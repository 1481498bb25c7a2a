import {
  createFairShare,
  PLAN_LIMITS,
  type RateLimiter,
  type SlotClaim,
  type Slots,
  setRateLimitHeaders,
  USER_SHARE_PERCENT,
} from '@legate/rate-limit';
import { Counter, type Registry } from '@legate/service';
import type { ErrorRequestHandler, RequestHandler, Response } from 'express';
import type { Caller } from '../domain/caller.ts';
import { NO_CONNECTORS, type OrganizationConnectors } from '../domain/connector-set.ts';
import type { ConnectorRegistry } from '../domain/registry.ts';
import { concurrencyExceeded, rateLimitExceeded } from '../refusals/limit-problems.ts';
import { callerOf, findCaller } from '../sign-in/authenticate.ts';

/** Limits on concurrent calls in this process */
export interface SlotLimits {
  readonly process: number;
  readonly organization: number;
  /** Concurrent calls of one user in an organization */
  readonly user: number;
  /** Concurrent calls of one agent of a user */
  readonly agent: number;
}

export interface FairUseLimits {
  readonly slots: SlotLimits;
  /** Limits on open streams, which do not count as calls */
  readonly streams: SlotLimits;
  /** Requests per minute of an organization without a known plan, such as one from a connectors file */
  readonly requestsPerMinute: number;
}

declare global {
  namespace Express {
    interface Locals {
      /** Set as soon as counting the request has begun */
      counting?: CountedRequest;
    }
  }
}

/** One request of a caller while it is counted and runs. */
export interface CountedRequest {
  /**
   * Resolves when the request has been counted and the headers are set. It runs in parallel with the work, so that a
   * call with cached data does not wait for the round trip; but requests to a tool server wait for it. It rejects with
   * 429 `rate_limit_exceeded` or `concurrency_exceeded`, and never causes an unhandled rejection.
   */
  readonly counted: Promise<void>;
  /** Releases the request's slot. Calling it again has no effect. */
  leave(): void;
}

/** Counts a request against its organization's plan, and takes a slot for it if it is long-running. */
export type CountRequest = (
  caller: Caller,
  res: Response,
  options?: {
    /** Kind of slot that the request takes; default: `call` */
    readonly place: 'call' | 'stream' | 'none';
  },
) => CountedRequest;

/** Requests per minute of an unknown organization */
const UNKNOWN = PLAN_LIMITS.free;

/**
 * Returns a key that no two users share: it contains the length of the first id, so the two ids are separate whatever
 * characters they contain.
 */
const userKeyOf = ({ organizationId, userId }: Caller): string =>
  `${organizationId.length}:${organizationId}${userId}`;

type Claim = SlotClaim & { readonly bound: keyof SlotLimits };

const BOUNDS = ['rate', 'user_rate', 'process', 'organization', 'user', 'agent'] as const;

/**
 * Limits an organization's requests per minute by its plan, with a share for each of several users, and its concurrent
 * calls, for `/api/v1` and `/mcp` together.
 * @see docs/adr/0044-fair-use.md
 */
export function createRequestCounter(deps: {
  limiter: RateLimiter;
  slots: Slots;
  /** Slots of streams */
  streamSlots: Slots;
  registry: Pick<ConnectorRegistry, 'of'>;
  limits: FairUseLimits;
  clock: () => Date;
  metrics: Registry;
}): CountRequest {
  const { limiter, clock, registry, limits } = deps;
  const share = createFairShare({ limiter, clock, sharePercent: USER_SHARE_PERCENT });
  const refusals = new Counter({
    name: 'fair_use_refusals_total',
    help: 'Requests that were refused because a rate limit or a limit of concurrent requests was reached, by limit',
    labelNames: ['bound'],
    registers: [deps.metrics],
  });
  for (const bound of BOUNDS) refusals.inc({ bound }, 0);

  async function requestsPerMinuteOf({ organizationId }: Caller): Promise<number> {
    let organization: OrganizationConnectors;
    try {
      organization = await registry.of(organizationId);
    } catch {
      return UNKNOWN; // the lookup of the connectors reports the fault of the organization
    }
    if (organization === NO_CONNECTORS) return UNKNOWN;
    return organization.plan?.requestsPerMinute ?? limits.requestsPerMinute;
  }

  function claimsOf({ organizationId, origin }: Caller, userKey: string, bounds: SlotLimits): Claim[] {
    const { process, organization, user, agent } = bounds;
    const claims: Claim[] = [
      { bound: 'process', key: '', max: process },
      { bound: 'organization', key: organizationId, max: organization },
      { bound: 'user', key: userKey, max: user },
    ];
    if (origin?.agentId !== undefined)
      claims.push({ bound: 'agent', key: `${userKey} ${origin.agentId}`, max: agent });
    return claims;
  }

  /**
   * Counts a request. The limit is read together with the count, because a change of plan applies to the current
   * window.
   */
  async function count(caller: Caller, userKey: string, res: Response): Promise<void> {
    const group = caller.organizationId;
    const limit = await requestsPerMinuteOf(caller);
    const usage = await share.consume({ group, key: `hub:${group}`, principal: userKey, limit });
    if (!res.headersSent) setRateLimitHeaders(res, usage);
    if (!usage.exceeded) return;
    refusals.inc({ bound: usage.scope === 'user' ? 'user_rate' : 'rate' });
    throw rateLimitExceeded(usage, usage.scope);
  }

  return (caller, res, { place } = { place: 'call' }) => {
    const userKey = userKeyOf(caller);
    const isStream = place === 'stream';
    const bounds = isStream ? limits.streams : limits.slots;
    const slots = isStream ? deps.streamSlots : deps.slots;
    const claims = place === 'none' ? [] : claimsOf(caller, userKey, bounds);
    const counted = count(caller, userKey, res);
    counted.catch(() => undefined); // callers that await the promise still get the rejection
    const leave = slots.take(claims);
    if (leave) return { counted, leave };
    const { bound, max } = slots.findFull(claims) ?? { bound: 'process', max: bounds.process };
    refusals.inc({ bound });
    const refused = counted.then(() => {
      throw concurrencyExceeded(bound, max, isStream ? 'open streams' : 'running calls');
    });
    refused.catch(() => undefined);
    return { counted: refused, leave: () => undefined };
  };
}

/**
 * Begins to count a request of a caller. Its slot is taken until the response is sent or the caller disconnects,
 * whichever handler the request has reached by then. Mount it after `authenticate`.
 */
export function beginCount(countRequest: CountRequest): RequestHandler {
  return (_req, res, next) => {
    const request = countRequest(callerOf(res), res);
    res.locals.counting = request;
    // The caller may have disconnected during authentication, in which case no `close` event follows.
    if (res.destroyed) request.leave();
    else res.once('close', request.leave);
    next();
  };
}

/**
 * Runs work in the slot of its request until the work ends, even if the caller disconnects before: otherwise callers
 * who disconnect at once could have more calls at tool servers than slots. A caller who disconnected before the work
 * began has no slot any more, and nobody waits for the work.
 */
export async function runInPlace(res: Response, work: () => Promise<void>): Promise<void> {
  const { leave } = countedRequestOf(res);
  if (res.destroyed) return;
  res.off('close', leave);
  try {
    await work();
  } finally {
    leave();
  }
}

/** Returns the request that `beginCount` counts. */
export function countedRequestOf(res: Response): CountedRequest {
  const { counting } = res.locals;
  if (!counting) throw new Error('beginCount is not mounted before this route');
  return counting;
}

/** Lets a request continue when it has been counted. */
export const awaitCount: RequestHandler = async (_req, res, next) => {
  await countedRequestOf(res).counted;
  next();
};

/**
 * Counts a request before its refusal is sent, so that every authenticated response has the rate limit headers, and a
 * request beyond the limit gets 429 whatever else is wrong with it.
 * @param countRequest for requests that were refused before they were counted; undefined: there are none
 */
export function countRefused(countRequest?: CountRequest): ErrorRequestHandler {
  return (err: unknown, _req, res, next) => {
    const caller = findCaller(res);
    const request = res.locals.counting ?? (caller && countRequest?.(caller, res, { place: 'none' }));
    if (!request) return next(err);
    request.counted.then(
      () => next(err),
      (refusal: unknown) => next(refusal),
    );
  };
}
