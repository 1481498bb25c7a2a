import { isId, type OrganizationId } from '@legate/ids';
import type { Page } from '@legate/pagination';
import { notFound } from '@legate/service';
import { ulid } from 'ulid';
import type { Change } from '../changes/change.ts';
import { changesBetween, type FieldChanges, type Target } from '../domain/audit-event.ts';
import type { Stored, VersionCheck } from '../domain/stored.ts';
import type { CheckQuota } from './quota.ts';
import type { ResourceStore } from './resource-store.ts';

/** Data is not purged while it can be restored; the purge in the database uses the same number. */
const RESTORABLE_DAYS = 30;
const DAY_MS = 24 * 3600 * 1000;

/**
 * The life cycle of sites, agents and connectors, with its audit events. All methods throw 404 for a resource of
 * another organization, so that its existence is not revealed.
 */
export interface LifeCycle<Thing extends { id: string }, Query, Listed = Thing> {
  list(organizationId: OrganizationId, query: Query): Promise<Page<Listed>>;
  find(organizationId: OrganizationId, id: Thing['id']): Promise<Stored<Thing>>;
  /** Locks it for a change of it or its parts. @throws {Problem} 412, if there is a check */
  lock(change: Change, id: Thing['id'], check?: VersionCheck): Promise<Stored<Thing>>;
  /**
   * @param insert called with the new id
   * @param more changes to record besides those of the fields
   * @throws {Problem} 409 `quota_exceeded`
   */
  create(
    change: Change,
    insert: (id: Thing['id']) => Promise<Stored<Thing>>,
    more?: FieldChanges,
  ): Promise<Stored<Thing>>;
  recordUpdate(change: Change, before: Thing, after: Thing, more?: FieldChanges): Promise<unknown>;
  record(change: Change, what: string, thing: Thing, changes?: FieldChanges): Promise<unknown>;
  /**
   * It can be restored for 30 days, with all its parts.
   * @param allow may refuse by throwing
   */
  remove(change: Change, id: Thing['id'], check: VersionCheck, allow?: () => Promise<void>): Promise<void>;
  /**
   * Leaves an existing one unchanged, so that the call can be repeated. A deleted one still counts against the quota.
   */
  restore(change: Change, id: Thing['id']): Promise<Stored<Thing>>;
}

/** What the three services share; each defines its own conditions for removing. */
export interface ResourceService<Thing extends { id: string }, Query, New, Patch, Listed = Thing>
  extends Pick<LifeCycle<Thing, Query, Listed>, 'list' | 'find' | 'restore'> {
  create(change: Change, thing: New): Promise<Stored<Thing>>;
  /** Locks it for a change of its parts. */
  lock(change: Change, id: Thing['id']): Promise<Thing>;
  /** @param patch made of the thing as it is in the transaction; what changes nothing leaves the version */
  update(
    change: Change,
    id: Thing['id'],
    check: VersionCheck,
    patch: (current: Thing) => Patch,
  ): Promise<Stored<Thing>>;
}

export function createLifeCycle<Thing extends { id: string; name: string }, Query, Listed = Thing>(deps: {
  type: Target['type'];
  /** Begins every id */
  idPrefix: string;
  /** Fields whose changes are recorded */
  fields: readonly (keyof Thing & string)[];
  store: ResourceStore<Thing, Query, Listed>;
  checkQuota: CheckQuota;
  clock: () => Date;
}): LifeCycle<Thing, Query, Listed> {
  const { type, idPrefix, fields, store, checkQuota, clock } = deps;

  function existing<Found>(found: Found | undefined | false): Found {
    if (!found) throw notFound(`There is no such ${type}.`);
    return found;
  }

  const record: LifeCycle<Thing, Query, Listed>['record'] = (change, what, { id, name }, changes) =>
    change.record({
      action: `${type}.${what}`,
      targets: [{ type, id, name }],
      ...(changes && { changes }),
    });

  async function lock(change: Change, id: Thing['id'], check?: VersionCheck): Promise<Stored<Thing>> {
    const locked = existing(isId(id) && (await store.lock(change, id)));
    check?.(locked.version);
    return locked;
  }

  return {
    lock,
    record,
    list: store.list,
    async find(organizationId, id) {
      return existing(isId(id) && (await store.find(organizationId, id)));
    },
    async create(change, insert, more) {
      await checkQuota(change);
      const id: Thing['id'] = `${idPrefix}_${ulid(clock().getTime())}`;
      const created = await insert(id);
      const changes = changesBetween({}, created.value, fields);
      await record(change, 'created', created.value, { ...changes, ...more });
      return created;
    },
    recordUpdate: (change, before, after, more) =>
      record(change, 'updated', after, { ...changesBetween(before, after, fields), ...more }),
    async remove(change, id, check, allow) {
      const { value } = await lock(change, id, check);
      await allow?.();
      await store.setDeleted(change, id, clock());
      await record(change, 'deleted', value);
    },
    async restore(change, id) {
      const since = new Date(clock().getTime() - RESTORABLE_DAYS * DAY_MS);
      const { deleted } = existing(isId(id) && (await store.lockRestorable(change, id, since)));
      if (!deleted) return lock(change, id);
      await store.setDeleted(change, id, null);
      const restored = await lock(change, id);
      await record(change, 'restored', restored.value);
      return restored;
    },
  };
}

/** Applies a merge patch: its defined members replace the old ones. */
export function withDefined<Thing extends object>(
  current: Thing,
  patch: { readonly [Field in keyof Thing]?: Thing[Field] | undefined },
): Thing {
  const defined = Object.entries(patch).filter(([, value]) => value !== undefined);
  return { ...current, ...Object.fromEntries(defined) };
}
