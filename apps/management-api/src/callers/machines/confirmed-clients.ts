import type { OrganizationId, UserId } from '@legate/ids';
import { DatabaseUnavailable } from '@legate/postgres';
import type { Caller } from '../../domain/caller.ts';
import { remember } from '../../storage/remembered.ts';
import type { MachineStore } from '../standing/machine-store.ts';

/**
 * The cached organizations that clients have confirmed as their own. A change by another process is seen within a
 * second.
 */
export type ConfirmedClients = ReturnType<typeof createConfirmedClients>;

export function createConfirmedClients(deps: {
  store: Pick<MachineStore, 'findConfirmed'>;
  issuer: string;
  clock: () => Date;
}) {
  const { store, issuer, clock } = deps;
  const remembered = remember<{ organizationId: OrganizationId | undefined }, UserId>({
    clock,
    load: async (subject) => ({ organizationId: await store.findConfirmed(issuer, subject) }),
  });
  return {
    /**
     * Returns the organization of a caller whose token names none; undefined for people.
     * @throws {DatabaseUnavailable} for a machine
     */
    async findOrganization({ looksLike, subject }: Caller): Promise<OrganizationId | undefined> {
      if (looksLike === 'person') return undefined;
      try {
        return (await remembered.get(subject)).organizationId;
      } catch (err) {
        // Access without an organization is more limited, and a person must not be refused for a check that concerns
        // machines.
        if (err instanceof DatabaseUnavailable && looksLike === undefined) return undefined;
        throw err;
      }
    },
    forget: (subject: UserId): void => remembered.forget(subject),
  };
}
