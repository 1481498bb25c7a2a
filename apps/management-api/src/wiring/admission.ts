import type { OrganizationId } from '@legate/ids';
import type { TenantDatabase } from '@legate/postgres';
import { createFairShare, createSlots, createWaitingRoom, type RateLimiter } from '@legate/rate-limit';
import { Counter, type Logger, type Registry } from '@legate/service';
import type { RequestHandler } from 'express';
import { admit, loadAdmission } from '../admission/admission.ts';
import { authorOf } from '../admission/author-of-request.ts';
import { type ConfirmedClients, createConfirmedClients } from '../admission/confirmed-clients.ts';
import { countRequest, countSecurity, type SecurityRule } from '../admission/count-request.ts';
import { enterInTurn } from '../admission/enter-in-turn.ts';
import { createJoining, type FindInvitedAs } from '../admission/joining.ts';
import { createKeyStandings, type KeyStandings } from '../admission/key-standings.ts';
import { createResolveMachineRole } from '../admission/machine-role.ts';
import { createMachineStore } from '../admission/machine-store.ts';
import { createResolveRole } from '../admission/member-role.ts';
import { createNoteKeyUsed } from '../admission/note-key-used.ts';
import { createNoteSeen } from '../admission/note-seen.ts';
import { createPlanCount, type PlanCount } from '../admission/plan-count.ts';
import type { IsSecurity } from '../admission/security-operations.ts';
import { createStandingStore } from '../admission/standing-store.ts';
import { createStandings, type Standings } from '../admission/standings.ts';
import type { MakeChange } from '../changes/change.ts';
import type { DefaultRole } from '../domain/rights.ts';

export interface Admission {
  /** What is remembered of organizations and members, to be forgotten after a change. */
  readonly standings: Standings;
  /** What is remembered of API keys */
  readonly keys: KeyStandings;
  /** What is remembered of clients whose tokens name no organization */
  readonly clients: ConfirmedClients;
  /** Loads what decides about a request, once its caller is known. */
  readonly lookUp: RequestHandler;
  /** Counts requests against plans, and shows what is left. */
  readonly plan: PlanCount;
  /**
   * Counts the request and lets it in, or refuses it.
   * @param isSecurity recognizes requests for which `security` is mounted
   */
  admit(isSecurity: IsSecurity): readonly RequestHandler[];
  /** Counts a request that takes rights away in a reserve, if the plan is used up; see `countSecurity`. */
  security(rule: SecurityRule): RequestHandler;
}

/** Requests of an organization that wait for their turn in a process, and for how long at most */
const WAITING_PLACES = 50;
const WAIT_MS = 2000;

/** Who becomes a member by their first token */
export interface MemberRules {
  /** For organizations that set none */
  readonly defaultRole: DefaultRole;
  /** Rows of an organization, those who are kept out included */
  readonly maxMembers: number;
}

export function createAdmission(deps: {
  tenants: TenantDatabase;
  makeChange: MakeChange;
  memberRules: MemberRules;
  invitedAs: FindInvitedAs;
  /** The identity provider */
  issuer: string;
  limiter: RateLimiter;
  /** Part of its organization's requests that each of several users may make */
  userSharePercent: number;
  /** Requests of an organization that a process answers at a time */
  concurrentRequests: number;
  decide: (limit: string) => (decision: 'allowed' | 'refused') => void;
  countUsage: (organizationId: OrganizationId, isThrottled: boolean) => void;
  clock: () => Date;
  log: Pick<Logger, 'warn'>;
  registry: Registry;
}): Admission {
  const { tenants, limiter, userSharePercent: sharePercent, countUsage, decide, clock, log } = deps;
  const { makeChange, memberRules } = deps;
  const store = createStandingStore({ tenants, makeChange, issuer: deps.issuer });
  const standings = createStandings({ store, clock });
  const refused = createRefusedCounter(deps.registry);
  const machines = createMachineStore(tenants);
  const keys = createKeyStandings({ store: machines, clock });
  const clients = createConfirmedClients({ store: machines, issuer: deps.issuer, clock });
  const people = createResolveRole({
    standings,
    joining: createJoining({ makeChange, maxMembers: memberRules.maxMembers, clock }),
    invitedAs: deps.invitedAs,
    noteSeen: createNoteSeen({
      store,
      clock,
      onLost: (err) => log.warn({ err }, 'what a token says of a member could not be kept'),
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
      onLost: (err) => log.warn({ err }, 'the use of an API key could not be noted'),
    }),
  });
  const share = createFairShare({ limiter, clock, sharePercent });
  const plan = createPlanCount({ share, limiter, decide });
  const room = createWaitingRoom({
    max: deps.concurrentRequests,
    places: WAITING_PLACES,
    waitMs: WAIT_MS,
    sharePercent,
    hasOthers: share.hasOthers,
    clock,
  });
  const concurrency = { room, slots: createSlots(), onRefused: () => decide('concurrency')('refused') };
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
    lookUp: loadAdmission(standings, clients),
    admit: (isSecurity) =>
      admit({
        count: countRequest({ plan, isSecurity, countUsage }),
        enter: enterInTurn({ ...concurrency, isSecurity }),
        resolveRole,
        authorOf,
      }),
    security: (rule) => countSecurity({ plan, countUsage }, rule),
  };
}

function createRefusedCounter(registry: Registry): Counter<'reason'> {
  const refused = new Counter({
    name: 'members_refused_total',
    help: 'Requests of users whom their token does not make a member of the organization, by reason',
    labelNames: ['reason'],
    registers: [registry],
  });
  for (const reason of ['no_role', 'limit']) refused.inc({ reason }, 0);
  return refused;
}
