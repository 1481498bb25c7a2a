import type { Standings } from '../../callers/standing/standings.ts';
import type { Change } from '../../changes/change.ts';
import type { Operation } from '../../http/api/operation.ts';
import type { Platform } from '../../platform/platform.ts';
import { createOrganizationLifeCycle } from './life-cycle.ts';
import { organizationLifeCycleOperations } from './life-cycle-routes.ts';
import { createProfiles, type Profiles } from './profile-service.ts';
import { createProfileStore } from './profile-store.ts';
import { organizationOperations } from './routes.ts';

export function openOrganizations(
  { tenants, clock }: Platform,
  parts: {
    standings: Standings;
    /** Lets others verify the domains of a deleted organization. */
    releaseDomains: (change: Change) => Promise<number>;
  },
): { readonly profiles: Profiles; readonly operations: Operation[] } {
  const { standings, releaseDomains } = parts;
  const store = createProfileStore(tenants);
  const profiles = createProfiles({ store });
  const lifeCycle = createOrganizationLifeCycle({ store, releaseDomains, clock });
  return {
    profiles,
    operations: [
      ...organizationOperations({ profiles, standings }),
      ...organizationLifeCycleOperations({ lifeCycle, standings }),
    ],
  };
}
