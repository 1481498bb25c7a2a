import type { OrganizationId } from '@legate/ids';
import type { TenantDatabase } from '@legate/postgres';
import { createSlots, type RateLimiter } from '@legate/rate-limit';
import type { Logger } from '@legate/service';
import type { RequestHandler } from 'express';
import { admit, loadAdmission } from '../admission/admission.ts';
import { createMembershipStore } from '../admission/membership-store.ts';
import { createMemberships, type Memberships } from '../admission/memberships.ts';
import { createOrganizationStore } from '../admission/organization-store.ts';
import { createOrganizations, type Organizations } from '../admission/organizations.ts';

export interface Admission {
  /** Caches of organizations and members, to be invalidated after a change. */
  readonly organizations: Organizations;
  readonly memberships: Memberships;
  /** Loads what decides about a request, once its caller is known. */
  readonly lookUp: RequestHandler;
  /** Counts the request and lets it in, or refuses it. */
  readonly admit: readonly RequestHandler[];
}

/** Requests of an organization that a process answers at a time: many more than a console has on their way (docs/adr/0047). */
const CONCURRENT_REQUESTS = 32;

export function createAdmission(deps: {
  tenants: TenantDatabase;
  limiter: RateLimiter;
  concurrentRequests?: number | undefined;
  countUsage: (organizationId: OrganizationId, isThrottled: boolean) => void;
  clock: () => Date;
  log: Pick<Logger, 'warn'>;
}): Admission {
  const { tenants, limiter, concurrentRequests = CONCURRENT_REQUESTS, countUsage, clock, log } = deps;
  const organizations = createOrganizations({ store: createOrganizationStore(tenants), clock });
  const memberships = createMemberships({
    store: createMembershipStore(tenants),
    clock,
    onSeenLost: (err) => log.warn({ err }, 'what a token says of a member could not be kept'),
  });
  return {
    organizations,
    memberships,
    lookUp: loadAdmission({ organizations, memberships }),
    admit: admit({
      limiter,
      slots: createSlots(),
      concurrentRequests,
      countUsage,
      memberships,
    }),
  };
}
