import type { OrganizationId } from '@legate/ids';
import type { TenantDatabase } from '@legate/postgres';
import { createSlots, type RateLimiter } from '@legate/rate-limit';
import type { Logger } from '@legate/service';
import { admit, loadAdmission } from '../admission/admission.ts';
import { createMembershipStore } from '../admission/membership-store.ts';
import { createMemberships } from '../admission/memberships.ts';
import { createOrganizationStore } from '../admission/organization-store.ts';
import { createOrganizations } from '../admission/organizations.ts';

export type Admission = ReturnType<typeof createAdmission>;

/** Requests of an organization that a process answers at a time: many more than a console has on their way (docs/adr/0047). */
const CONCURRENT_REQUESTS = 32;

export function createAdmission(deps: {
  tenants: TenantDatabase;
  limiter: RateLimiter;
  concurrentRequests?: number | undefined;
  countUsage: (organizationId: OrganizationId, isThrottled: boolean) => void;
  clock: () => Date;
  log: Pick<Logger, 'warn'>;
}) {
  const { tenants, limiter, concurrentRequests = CONCURRENT_REQUESTS, countUsage, clock, log } = deps;
  const organizations = createOrganizations({ store: createOrganizationStore(tenants), clock });
  const memberships = createMemberships({
    store: createMembershipStore(tenants),
    clock,
    onSeenLost: (err) => log.warn({ err }, 'what a token says of a member could not be kept'),
  });
  return {
    /** Caches of organizations and members, to be invalidated after a change. */
    organizations,
    memberships,
    /** Loads what decides about a request, once its caller is known. */
    lookUp: loadAdmission({ organizations, memberships }),
    /** Counts the request and lets it in, or refuses it. */
    admit: admit({ limiter, slots: createSlots(), concurrentRequests, countUsage, memberships }),
  };
}
