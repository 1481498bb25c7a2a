import type { OrganizationId } from '@legate/ids';
import { type Remembered, remember } from '../storage/remembered.ts';
import type { Organization, OrganizationStore } from './organization-store.ts';

/**
 * The organization of a valid token. A change of its plan or status is visible within 30 seconds; while the database is
 * down, the last known values are used.
 */
export type Organizations = Remembered<Organization, OrganizationId>;

export function createOrganizations(deps: { store: OrganizationStore; clock: () => Date }): Organizations {
  return remember({ load: deps.store.findOrCreate, clock: deps.clock });
}
