import {
  PLAN_LIMITS,
  type RateLimiter,
  type SlotClaim,
  type Slots,
  setRateLimitHeaders,
} from '@legate/rate-limit';
import { Counter, type Registry } from '@legate/service';
import type { Response } from 'express';
import type { Caller } from '../domain/caller.ts';
import { NO_CONNECTORS, type OrganizationConnectors } from '../domain/connector-set.ts';
import type { ConnectorRegistry } from '../domain/registry.ts';
import { concurrencyExceeded, rateLimitExceeded } from '../refusals/limit-problems.ts';

/** Calls that may be on their way at a time in this process */
export interface SlotLimits {
  readonly process: number;
  readonly organization: number;
  /** Of one user in an organization */
  readonly user: number;
  /** Of one agent of a user */
  readonly agent: number;
}

export interface FairUseLimits {
  readonly slots: SlotLimits;
  /** Of an organization whose plan is not told, as in a file of connectors */
  readonly requestsPerMinute: number;
  /** Part of its organization's requests that one user may make; 100: all of them */
  readonly userSharePercent: number;
}

/** One request of a caller while it is counted and carried out. */
export interface Admission {
  /**
   * Resolves when the request has been counted and the headers are set. It runs beside the work, so that the warm path waits
   * for no round trip of its own; whatever leaves for a tool server waits for it. Rejects with 429 `rate_limit_exceeded` or
   * `concurrency_exceeded`, and never as unhandled.
   */
  readonly settled: Promise<void>;
  /** Gives the place of the request back. Calling it again changes nothing. */
  leave(): void;
}

/** Counts a request against its organization's plan, and takes a place for it where it is one that takes time. */
export type Admit = (caller: Caller, res: Response, options?: { readonly hasPlace: boolean }) => Admission;

/** Requests per minute of an organization that nobody knows */
const UNKNOWN = PLAN_LIMITS.free;

/** With the length, no two users have the same, whatever is in their ids. */
const userKeyOf = ({ organizationId, userId }: Caller): string =>
  `${organizationId.length}:${organizationId}${userId}`;

type Claim = SlotClaim & { readonly bound: keyof SlotLimits };

const BOUNDS = ['rate', 'user_rate', 'process', 'organization', 'user', 'agent'] as const;

/**
 * Requests per minute by plan, and places for calls on their way, of an organization at both doors together.
 * @see docs/adr/0044-fair-use.md
 */
export function createAdmit(deps: {
  limiter: RateLimiter;
  slots: Slots;
  registry: Pick<ConnectorRegistry, 'of'>;
  limits: FairUseLimits;
  metrics: Registry;
}): Admit {
  const { limiter, slots, registry, limits } = deps;
  const refusals = new Counter({
    name: 'fair_use_refusals_total',
    help: 'Requests that were refused because a bound was reached, by the bound',
    labelNames: ['bound'],
    registers: [deps.metrics],
  });
  for (const bound of BOUNDS) refusals.inc({ bound }, 0);

  async function requestsPerMinuteOf({ organizationId, origin }: Caller): Promise<number> {
    let organization: OrganizationConnectors;
    try {
      organization = await registry.of(organizationId, origin?.request);
    } catch {
      return UNKNOWN; // what is wrong with the organization is told by whoever looks for its connectors
    }
    if (organization === NO_CONNECTORS) return UNKNOWN;
    return organization.plan?.requestsPerMinute ?? limits.requestsPerMinute;
  }

  function claimsOf({ organizationId, origin }: Caller, userKey: string): Claim[] {
    const { process, organization, user, agent } = limits.slots;
    const claims: Claim[] = [
      { bound: 'process', key: '', max: process },
      { bound: 'organization', key: organizationId, max: organization },
      { bound: 'user', key: userKey, max: user },
    ];
    if (origin?.agentId !== undefined)
      claims.push({ bound: 'agent', key: `${userKey} ${origin.agentId}`, max: agent });
    return claims;
  }

  /** The limit is read with the count, since a change of plan takes effect in the running window. */
  async function count(caller: Caller, userKey: string, res: Response): Promise<void> {
    const { organizationId } = caller;
    const limit = await requestsPerMinuteOf(caller);
    const own = Math.max(1, Math.floor((limit * limits.userSharePercent) / 100));
    const counting = limiter.consume(`hub:${organizationId}`, limit); // both at once
    const ofUser = own < limit ? await limiter.consume(`hub-user:${userKey}`, own) : undefined;
    const usage = await counting;
    if (!res.headersSent) setRateLimitHeaders(res, usage);
    const spent = usage.exceeded ? usage : ofUser?.exceeded ? ofUser : undefined;
    if (!spent) return;
    refusals.inc({ bound: spent === usage ? 'rate' : 'user_rate' });
    throw rateLimitExceeded(spent, spent === usage ? 'organization' : 'user');
  }

  return (caller, res, { hasPlace } = { hasPlace: true }) => {
    const userKey = userKeyOf(caller);
    const claims = hasPlace ? claimsOf(caller, userKey) : [];
    const counted = count(caller, userKey, res);
    counted.catch(() => undefined); // whoever waits for it is told
    const leave = slots.take(claims);
    if (leave) return { settled: counted, leave };
    const { bound, max } = slots.findFull(claims) ?? { bound: 'process', max: limits.slots.process };
    refusals.inc({ bound });
    const settled = counted.then(() => {
      throw concurrencyExceeded(bound, max);
    });
    settled.catch(() => undefined);
    return { settled, leave: () => undefined };
  };
}
