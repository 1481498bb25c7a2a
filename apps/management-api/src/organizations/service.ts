import { remember } from '../remembered.ts';
import type { Organization, OrganizationStore } from './store.ts';

export interface Organizations {
  /**
   * The organization of a valid token. A change of its plan or status is seen within 30 seconds; while the database is
   * down, what was last known of it is used.
   * @throws {DatabaseUnavailable} and nothing is known of it
   */
  get(id: string): Promise<Organization>;
}

export function createOrganizations(deps: { store: OrganizationStore; clock: () => Date }): Organizations {
  return remember({ load: deps.store.findOrCreate, clock: deps.clock });
}
