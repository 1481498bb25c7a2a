import type { OrganizationId } from '@legate/ids';
import type { TenantDatabase } from '@legate/postgres';
import { createSlots, type RateLimiter } from '@legate/rate-limit';
import { Counter, type Logger, type Registry } from '@legate/service';
import type { RequestHandler } from 'express';
import { admit, loadAdmission } from '../admission/admission.ts';
import { authorOf } from '../admission/author-of-request.ts';
import { createJoining } from '../admission/joining.ts';
import { createResolveRole } from '../admission/member-role.ts';
import { createNoteSeen } from '../admission/note-seen.ts';
import { createStandingStore } from '../admission/standing-store.ts';
import { createStandings, type Standings } from '../admission/standings.ts';
import type { MakeChange } from '../changes/change.ts';
import type { DefaultRole } from '../domain/rights.ts';

export interface Admission {
  /** What is remembered of organizations and members, to be forgotten after a change. */
  readonly standings: Standings;
  /** Loads what decides about a request, once its caller is known. */
  readonly lookUp: RequestHandler;
  /** Counts the request and lets it in, or refuses it. */
  readonly admit: readonly RequestHandler[];
}

/** Requests of an organization that a process answers at a time: many more than a console has on their way (docs/adr/0047). */
const CONCURRENT_REQUESTS = 32;

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
  limiter: RateLimiter;
  concurrentRequests?: number | undefined;
  countUsage: (organizationId: OrganizationId, isThrottled: boolean) => void;
  clock: () => Date;
  log: Pick<Logger, 'warn'>;
  registry: Registry;
}): Admission {
  const { tenants, limiter, concurrentRequests = CONCURRENT_REQUESTS, countUsage, clock, log } = deps;
  const { makeChange, memberRules } = deps;
  const store = createStandingStore(tenants);
  const standings = createStandings({ store, clock });
  const refused = new Counter({
    name: 'members_refused_total',
    help: 'Requests of users whom their token does not make a member of the organization, by reason',
    labelNames: ['reason'],
    registers: [deps.registry],
  });
  for (const reason of ['no_role', 'limit']) refused.inc({ reason }, 0);
  const resolveRole = createResolveRole({
    standings,
    joining: createJoining({ makeChange, maxMembers: memberRules.maxMembers, clock }),
    noteSeen: createNoteSeen({
      store,
      clock,
      onLost: (err) => log.warn({ err }, 'what a token says of a member could not be kept'),
    }),
    defaultRole: memberRules.defaultRole,
    onRefused: (reason) => refused.inc({ reason }),
  });
  return {
    standings,
    lookUp: loadAdmission(standings),
    admit: admit({
      limiter,
      slots: createSlots(),
      concurrentRequests,
      countUsage,
      resolveRole,
      authorOf,
    }),
  };
}
