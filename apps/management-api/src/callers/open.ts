import type { OrganizationId } from '@legate/ids';
import { createFairShare, createSlots, createWaitingRoom } from '@legate/rate-limit';
import { Counter, type Registry } from '@legate/service';
import type { RequestHandler } from 'express';
import type { MakeChange } from '../changes/change.ts';
import type { DefaultRole } from '../domain/rights.ts';
import type { Limits } from '../platform/limits.ts';
import type { Platform } from '../platform/platform.ts';
import { admit, loadAdmission } from './admission/admission.ts';
import { authorOf } from './admission/author-of-request.ts';
import { refuseWhileSuspended } from './admission/while-suspended.ts';
import { countRequest, countSecurity, type SecurityRule } from './limits/count-request.ts';
import { enterInTurn } from './limits/enter-in-turn.ts';
import { createPlanCount, type PlanCount } from './limits/plan-count.ts';
import type { IsSecurity } from './limits/security-operations.ts';
import { type ConfirmedClients, createConfirmedClients } from './machines/confirmed-clients.ts';
import { createKeyStandings, type KeyStandings } from './machines/key-standings.ts';
import { createResolveMachineRole } from './machines/machine-role.ts';
import { createNoteKeyUsed } from './machines/note-key-used.ts';
import { createJoining, type FindInvitedAs } from './standing/joining.ts';
import { createMachineStore } from './standing/machine-store.ts';
import { createResolveRole } from './standing/member-role.ts';
import { createNoteSeen } from './standing/note-seen.ts';
import { createStandingStore } from './standing/standing-store.ts';
import { createStandings, type Standings } from './standing/standings.ts';

export interface Admission {
  /** The cached organizations and members, which must be reloaded after a change */
  readonly standings: Standings;
  /** The cached API keys */
  readonly keys: KeyStandings;
  /** The cached clients whose tokens name no organization */
  readonly clients: ConfirmedClients;
  /** Loads the data that admission needs, once the caller is known. */
  readonly lookUp: RequestHandler;
  /** Counts requests against plans, and returns the remaining number. */
  readonly plan: PlanCount;
  /**
   * Counts the request and admits or refuses it.
   * @param isSecurity returns true for requests of operations that mount `security`
   */
  admit(isSecurity: IsSecurity): readonly RequestHandler[];
  /** Admits a caller of our pages like one of the API, once the caller is set. */
  readonly forPages: readonly RequestHandler[];
  /** Counts a request that takes rights away against a reserve, if the plan is used up; see `countSecurity`. */
  security(rule: SecurityRule): RequestHandler;
}

/**
 * Maximum number of an organization's requests that wait for their turn in a process, and their maximum waiting time
 */
const WAITING_PLACES = 50;
const WAIT_MS = 2000;

/** Rules for users who become members with their first token */
export interface MemberRules {
  /** Role of new members in organizations without a default role */
  readonly defaultRole: DefaultRole;
  /** Maximum number of rows of an organization, including members without access */
  readonly maxMembers: number;
}

/** The division of an organization's requests among its users */
export interface Fairness {
  /** Requests of an organization that a process handles at a time; further ones wait for their turn. */
  readonly concurrentRequests: number;
  /** Percentage of its organization's requests that each of several users may make; 100: all of them */
  readonly userSharePercent: number;
}

export function openAdmission(
  { tenants, issuer, clock, log, metrics }: Platform,
  parts: {
    makeChange: MakeChange;
    memberRules: MemberRules;
    invitedAs: FindInvitedAs;
    limits: Limits;
    fairness: Fairness;
    countUsage: (organizationId: OrganizationId, isThrottled: boolean) => void;
  },
): Admission {
  const { makeChange, memberRules, invitedAs, countUsage } = parts;
  const { limiter, decisions: decide } = parts.limits;
  const { concurrentRequests, userSharePercent: sharePercent } = parts.fairness;
  const store = createStandingStore({ tenants, makeChange, issuer });
  const standings = createStandings({ store, clock });
  const refused = createRefusedCounter(metrics.registry);
  const machines = createMachineStore(tenants);
  const keys = createKeyStandings({ store: machines, clock });
  const clients = createConfirmedClients({ store: machines, issuer, clock });
  const people = createResolveRole({
    standings,
    joining: createJoining({ makeChange, maxMembers: memberRules.maxMembers, clock }),
    invitedAs,
    noteSeen: createNoteSeen({
      store,
      clock,
      onLost: (err) => log.warn({ err }, 'the details of a member in their token could not be stored'),
    }),
    defaultRole: memberRules.defaultRole,
    onRefused: (reason) => refused.inc({ reason }),
  });
  const resolveRole = createResolveMachineRole({
    people,
    noteKeyUsed: createNoteKeyUsed({
      store: machines,
      makeChange,
      clock,
      onLost: (err) => log.warn({ err }, 'the last use of an API key could not be stored'),
    }),
  });
  const share = createFairShare({ limiter, clock, sharePercent });
  const plan = createPlanCount({ share, limiter, decide });
  const room = createWaitingRoom({
    max: concurrentRequests,
    places: WAITING_PLACES,
    waitMs: WAIT_MS,
    sharePercent,
    hasOthers: share.hasOthers,
    clock,
  });
  const concurrency = { room, slots: createSlots(), onRefused: () => decide('concurrency')('refused') };
  const lookUp = loadAdmission(standings, clients);
  const admitAs = (isSecurity: IsSecurity) =>
    admit({
      count: countRequest({ plan, isSecurity, countUsage }),
      enter: enterInTurn({ ...concurrency, isSecurity }),
      resolveRole,
      authorOf,
    });
  return {
    standings: {
      ...standings,
      forget(organizationId, userId) {
        standings.forget(organizationId, userId);
        if (userId === undefined) keys.forget(organizationId);
      },
    },
    keys,
    clients,
    plan,
    lookUp,
    admit: admitAs,
    forPages: [lookUp, ...admitAs(() => false), refuseWhileSuspended(undefined)],
    security: (rule) => countSecurity({ plan, countUsage }, rule),
  };
}

function createRefusedCounter(registry: Registry): Counter<'reason'> {
  const refused = new Counter({
    name: 'members_refused_total',
    help: 'Refused requests of users whose token did not make them a member of the organization, by reason',
    labelNames: ['reason'],
    registers: [registry],
  });
  for (const reason of ['no_role', 'limit']) refused.inc({ reason }, 0);
  return refused;
}
