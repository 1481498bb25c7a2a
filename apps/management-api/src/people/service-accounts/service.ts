import { isId, type OrganizationId } from '@legate/ids';
import type { HappensTo } from '@legate/management-contract';
import type { Problem } from '@legate/service';
import { ulid } from 'ulid';
import type { Change } from '../../changes/change.ts';
import { changesBetween, type FieldChanges, type Target } from '../../domain/audit-event.ts';
import { ServiceAccountId } from '../../domain/ids.ts';
import { problem } from '../../domain/problem-codes.ts';
import { type ServiceAccountRole, scopesFor } from '../../domain/rights.ts';
import { existing, type Stored, type VersionCheck, withDefined } from '../../domain/stored.ts';
import { type FindMemberRole, type Maker, refuseEscalation } from './maker.ts';
import type { CreateServiceAccount, ServiceAccount, UpdateServiceAccount } from './service-account.ts';
import type { ServiceAccountStore } from './store.ts';

export const MAX_SERVICE_ACCOUNTS = 50;
/** Deleted accounts are purged after 30 days; until then this limit stops a loop of creating and deleting. */
const MAX_WITH_DELETED = 2 * MAX_SERVICE_ACCOUNTS;

const FIELDS = ['name', 'description', 'role', 'status'] as const;

export type ServiceAccounts = ReturnType<typeof createServiceAccounts>;

export function createServiceAccounts(deps: {
  store: ServiceAccountStore;
  findMemberRole: FindMemberRole;
  clock: () => Date;
}) {
  const { store, findMemberRole, clock } = deps;

  /** Locks the account before a change of it or its credentials. @throws {Problem} 404; 412 if `check` is given */
  async function lock(change: Change, id: ServiceAccountId, check?: VersionCheck) {
    const locked = existing('service account', isId(id) && (await store.lock(change, id)));
    check?.(locked.version);
    return locked;
  }

  /**
   * Must be called before an account gets a credential or a role: no user gives a machine a right that they do not
   * have.
   * @throws {Problem} 403 `role_escalation`
   */
  const refuseRoleBeyond = (change: Change, maker: Maker, role: ServiceAccountRole): Promise<void> =>
    refuseEscalation(change, maker, scopesFor(role, undefined), findMemberRole);

  return {
    lock,
    refuseRoleBeyond,
    list: store.list,
    async find(organizationId: OrganizationId, id: ServiceAccountId) {
      return existing('service account', isId(id) && (await store.find(organizationId, id)));
    },
    /** @throws {Problem} 403 `role_escalation`, 409 `quota_exceeded` */
    async create(
      change: Change,
      maker: Maker,
      wanted: CreateServiceAccount,
    ): Promise<Stored<ServiceAccount>> {
      await refuseRoleBeyond(change, maker, wanted.role);
      const { present, all } = await store.lockAndCount(change);
      if (present >= MAX_SERVICE_ACCOUNTS || all >= MAX_WITH_DELETED) throw quotaExceeded();
      const id = ServiceAccountId.parse(`sva_${ulid(clock().getTime())}`);
      const created = await store.create(change, id, wanted, maker);
      await recordAccount(change, 'created', created.value, changesBetween({}, created.value, FIELDS));
      return created;
    },
    /** @throws {Problem} 403 `role_escalation`, 404, 412 */
    async update(
      change: Change,
      maker: Maker,
      id: ServiceAccountId,
      check: VersionCheck,
      patch: (current: ServiceAccount) => UpdateServiceAccount,
    ): Promise<Stored<ServiceAccount>> {
      const before = await lock(change, id, check);
      const wanted = withDefined(before.value, patch(before.value));
      const changes = changesBetween(before.value, wanted, FIELDS);
      if (Object.keys(changes).length === 0) return before;
      // Enabling an account gives it its role again.
      const isGiven =
        changes.role !== undefined || (changes.status !== undefined && wanted.status === 'active');
      if (isGiven) await refuseRoleBeyond(change, maker, wanted.role);
      const after = await store.update(change, wanted);
      await recordAccount(change, 'updated', after.value, changes);
      return after;
    },
    /** Deletes an account and ends all of its credentials. @throws {Problem} 404, 412 */
    async remove(change: Change, id: ServiceAccountId, check: VersionCheck): Promise<void> {
      const { value } = await lock(change, id, check);
      await store.setDeleted(change, id);
      await recordAccount(change, 'deleted', value);
    },
  };
}

export const accountTarget = ({ id, name }: Pick<ServiceAccount, 'id' | 'name'>): Target => ({
  type: 'service_account',
  id,
  name,
});

export const recordAccount = (
  change: Change,
  what: HappensTo<'service_account'>,
  account: Pick<ServiceAccount, 'id' | 'name'>,
  changes?: FieldChanges,
) => change.record({ action: `service_account.${what}`, targets: [accountTarget(account)], changes });

const quotaExceeded = (): Problem =>
  problem('quota_exceeded', {
    detail: `The organization has ${MAX_SERVICE_ACCOUNTS} service accounts, or twice that number with those deleted in the last 30 days included. That is the maximum.`,
  });
