import { isId, type OrganizationId } from '@legate/ids';
import type { AuditAction } from '@legate/management-contract';
import { ulid } from 'ulid';
import type { Change } from '../../changes/change.ts';
import { changesBetween, type FieldChanges } from '../../domain/audit-event.ts';
import { existing, type Stored, type VersionCheck } from '../../domain/stored.ts';
import type { ResourceList } from './deleted.ts';
import type { CheckQuota } from './quota.ts';
import type { ResourceStore } from './resource-store.ts';

/**
 * Time in which a deleted resource can be restored, and is not purged; the purge in the database uses the
 * same number.
 */
const RESTORABLE_DAYS = 30;
const DAY_MS = 24 * 3600 * 1000;

export type LifeCycle<
  Thing extends { id: string; name: string },
  Query extends ResourceList,
  Listed = Thing,
> = ReturnType<typeof createLifeCycle<Thing, Query, Listed>>;

/**
 * The life cycle of sites, agents and connectors, with its audit events. All methods throw 404 for a resource of
 * another organization, so that its existence is not revealed.
 */
export function createLifeCycle<
  Thing extends { id: string; name: string },
  Query extends ResourceList,
  Listed = Thing,
>(deps: {
  type: 'site' | 'agent' | 'connector';
  /** Prefix of the ids */
  idPrefix: string;
  /** Fields whose changes are recorded */
  fields: readonly (keyof Thing & string)[];
  store: ResourceStore<Thing, Query, Listed>;
  checkQuota: CheckQuota;
  clock: () => Date;
}) {
  const { type, idPrefix, fields, store, checkQuota, clock } = deps;

  const restorableSince = () => new Date(clock().getTime() - RESTORABLE_DAYS * DAY_MS);

  const record = (change: Change, action: AuditAction, { id, name }: Thing, changes?: FieldChanges) =>
    change.record({ action, targets: [{ type, id, name }], changes });

  /** Locks the resource for a change of it or its parts. @throws {Problem} 412, if there is a check */
  async function lock(change: Change, id: Thing['id'], check?: VersionCheck): Promise<Stored<Thing>> {
    const locked = existing(type, isId(id) && (await store.lock(change, id)));
    check?.(locked.version);
    return locked;
  }

  return {
    lock,
    record,
    list: (organizationId: OrganizationId, query: Query) =>
      query.deleted
        ? store.listDeleted(organizationId, query, restorableSince())
        : store.list(organizationId, query),
    async find(organizationId: OrganizationId, id: Thing['id']) {
      return existing(type, isId(id) && (await store.find(organizationId, id)));
    },
    /**
     * @param insert called with the new id
     * @param more changes to record besides those of the fields
     * @throws {Problem} 409 `quota_exceeded`
     */
    async create(
      change: Change,
      insert: (id: Thing['id']) => Promise<Stored<Thing>>,
      more?: FieldChanges,
    ): Promise<Stored<Thing>> {
      await checkQuota(change);
      const id: Thing['id'] = `${idPrefix}_${ulid(clock().getTime())}`;
      const created = await insert(id);
      const changes = changesBetween({}, created.value, fields);
      await record(change, `${type}.created`, created.value, { ...changes, ...more });
      return created;
    },
    recordUpdate: (change: Change, before: Thing, after: Thing, more?: FieldChanges) =>
      record(change, `${type}.updated`, after, { ...changesBetween(before, after, fields), ...more }),
    /**
     * Deletes the resource. It can be restored for 30 days, with all its parts.
     * @param allow may refuse the deletion by throwing
     */
    async remove(change: Change, id: Thing['id'], check: VersionCheck, allow?: () => Promise<void>) {
      const { value } = await lock(change, id, check);
      await allow?.();
      await store.setDeleted(change, id, clock());
      await record(change, `${type}.deleted`, value);
    },
    /**
     * Restores the resource. One that is not deleted stays unchanged, so that the call can be repeated. A
     * deleted resource still counts against the quota.
     */
    async restore(change: Change, id: Thing['id']): Promise<Stored<Thing>> {
      const { deleted } = existing(
        type,
        isId(id) && (await store.lockRestorable(change, id, restorableSince())),
      );
      if (!deleted) return lock(change, id);
      await store.setDeleted(change, id, null);
      const restored = await lock(change, id);
      await record(change, `${type}.restored`, restored.value);
      return restored;
    },
    /**
     * Purges a deleted resource with all its parts before its 30 days have ended. @throws {Problem} 404 also
     * for a resource that is not deleted
     */
    async purge(change: Change, id: Thing['id']): Promise<void> {
      const name = existing(`deleted ${type}`, isId(id) && (await store.purge(change, id)));
      await change.record({ action: `${type}.purged`, targets: [{ type, id, name }] });
    },
  };
}
