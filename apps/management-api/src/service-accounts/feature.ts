import type { OrganizationId, UserId } from '@legate/ids';
import type { TenantDatabase } from '@legate/postgres';
import type { Operation } from '../api/operation.ts';
import type { Change, MakeChange } from '../changes/change.ts';
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

export function createServiceAccountsFeature(deps: {
  tenants: TenantDatabase;
  makeChange: MakeChange;
  /** The identity provider */
  issuer: string;
  findMemberRole: FindMemberRole;
  /** Makes this process ask again what it remembers of an organization's machines. */
  forgetMachines: (organizationId: OrganizationId) => void;
  /** The same of a client whose tokens name no organization */
  forgetClient: (subject: UserId) => void;
  /** True for a user with a row that a machine must not take over */
  isMember: (change: Change, userId: UserId) => Promise<boolean>;
  maxKeyDays: number;
  clock: () => Date;
}): { operations: Operation[] } {
  const { tenants, findMemberRole, forgetMachines, clock } = deps;
  const store = createServiceAccountStore({ tenants, clock });
  const accounts = createServiceAccounts({ store, findMemberRole, clock });
  const clients = createClients({
    accounts,
    accountStore: store,
    store: createClientStore(tenants),
    isMember: deps.isMember,
    issuer: deps.issuer,
    makeChange: deps.makeChange,
    clock,
  });
  const keyStore = createKeyStore({ tenants, clock });
  const keys = createApiKeys({ accounts, store: keyStore, findMemberRole, maxDays: deps.maxKeyDays, clock });
  return {
    operations: [
      ...clientOperations({ clients, forgetMachines, forgetClient: deps.forgetClient }),
      ...serviceAccountOperations({ accounts, forgetMachines }),
      ...apiKeyOperations({ keys, forgetMachines }),
    ],
  };
}
