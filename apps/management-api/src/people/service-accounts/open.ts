import type { OrganizationId, UserId } from '@legate/ids';
import type { Change, MakeChange } from '../../changes/change.ts';
import type { Operation } from '../../http/api/operation.ts';
import type { Platform } from '../../platform/platform.ts';
import { clientOperations } from './client-routes.ts';
import { createClients } from './client-service.ts';
import { createClientStore } from './client-store.ts';
import { apiKeyOperations } from './key-routes.ts';
import { createApiKeys } from './key-service.ts';
import { createKeyStore } from './key-store.ts';
import type { FindMemberRole } from './maker.ts';
import { serviceAccountOperations } from './routes.ts';
import { createServiceAccounts } from './service.ts';
import { createServiceAccountStore } from './store.ts';

export function openServiceAccounts(
  { tenants, issuer, clock }: Platform,
  parts: {
    makeChange: MakeChange;
    findMemberRole: FindMemberRole;
    /** Makes this process reload its cached data about an organization's machines. */
    forgetMachines: (organizationId: OrganizationId) => void;
    /** Makes this process reload the cached organization of a client whose tokens name none. */
    forgetClient: (subject: UserId) => void;
    /** Returns true for a user whom a machine must not replace. */
    isMember: (change: Change, userId: UserId) => Promise<boolean>;
    /** Maximum lifetime of an API key, in days */
    maxKeyDays: number;
  },
): { readonly operations: Operation[] } {
  const { makeChange, findMemberRole, forgetMachines, forgetClient, isMember, maxKeyDays: maxDays } = parts;
  const accountStore = createServiceAccountStore({ tenants, clock });
  const accounts = createServiceAccounts({ store: accountStore, findMemberRole, clock });
  const store = createClientStore(tenants);
  const clients = createClients({ accounts, accountStore, store, isMember, issuer, makeChange, clock });
  const keyStore = createKeyStore({ tenants, clock });
  const keys = createApiKeys({ accounts, store: keyStore, findMemberRole, maxDays, clock });
  return {
    operations: [
      ...clientOperations({ clients, forgetMachines, forgetClient }),
      ...serviceAccountOperations({ accounts, forgetMachines }),
      ...apiKeyOperations({ keys, forgetMachines }),
    ],
  };
}
