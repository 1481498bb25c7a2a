import type { OrganizationId } from '@legate/ids';
import type { NamedStatement, TenantDatabase } from '@legate/postgres';
import type { Change } from '../../changes/change.ts';
import type { Stored } from '../../domain/stored.ts';
import { CHANGED, isoTimeOf } from '../../storage/columns.ts';
import { type Filter, queryPage } from '../../storage/page-statement.ts';
import { statement } from '../../storage/statement.ts';
import { type ResourceList, type Sort, sortOf } from './deleted.ts';

type Transaction = Pick<Change, 'connection' | 'organizationId'>;
/**
 * The parts that are specific to one table. In its SQL, a row is `r`, `$1` the organization, and `$2`, `$3` …
 * are `values`. Every such table has the columns `organization_id`, `id`, `name`, `version`, `created_at`,
 * `updated_at` and `deleted_at`.
 */
export interface ResourceTable<Query> {
  /** Singular name, used in the names of statements, such as `site` */
  readonly name: string;
  /** Name of the table, such as `sites` */
  readonly table: string;
  /** SQL of a row as the API shows it */
  readonly json: string;
  /** SQL of a row as a list shows it, if the list omits some members */
  readonly listJson?: string;
  /** SQL of a row's version, if the column `version` is not enough */
  readonly version?: string;
  readonly values?: () => readonly unknown[];
  filters(query: Query): readonly Filter[];
}

const ORDER_BY: Readonly<Record<Sort, string>> = {
  created_at: 'r.created_at, r.id',
  '-created_at': 'r.created_at DESC, r.id DESC',
  name: 'r.name, r.id',
  '-name': 'r.name DESC, r.id DESC',
  deleted_at: 'r.deleted_at, r.id',
  '-deleted_at': 'r.deleted_at DESC, r.id DESC',
};

/** SQL of the time until which a row can be restored; the purge in the database uses the same number. */
const RESTORABLE_UNTIL = "(r.deleted_at + interval '720 hours')";
const OF_DELETED = `'deleted_at', ${isoTimeOf('r.deleted_at')}, 'restorable_until', ${isoTimeOf(RESTORABLE_UNTIL)}`;

export type ResourceStore<
  Thing extends { id: string },
  Query extends ResourceList,
  Listed = Thing,
> = ReturnType<typeof createResourceStore<Thing, Query, Listed>>;

/**
 * Reads and writes resources that are not deleted, unless a method is for deleted ones. Every WHERE contains
 * the organization, in addition to the policies.
 */
export function createResourceStore<Thing extends { id: string }, Query extends ResourceList, Listed = Thing>(
  tenants: TenantDatabase,
  description: ResourceTable<Query>,
) {
  const { name, table, json, listJson = json, version = 'r.version::text' } = description;
  const ownValues = () => description.values?.() ?? [];
  const idParameter = `$${ownValues().length + 2}`;

  const FIND = statement(`${name}_find`)`SELECT ${json} AS value, ${version} AS version FROM ${table} r
WHERE r.organization_id = $1 AND r.id = ${idParameter} AND r.deleted_at IS NULL`;
  const LOCK = statement(`${name}_lock`)`SELECT 1 FROM ${table}
WHERE organization_id = $1 AND id = $2 AND deleted_at IS NULL FOR UPDATE`;
  const LOCK_RESTORABLE = statement(
    `${name}_lock_restorable`,
  )`SELECT deleted_at IS NOT NULL AS deleted FROM ${table}
WHERE organization_id = $1 AND id = $2 AND (deleted_at IS NULL OR deleted_at > $3) FOR UPDATE`;
  const SET_DELETED = statement(`${name}_set_deleted`)`UPDATE ${table} SET deleted_at = $3, ${CHANGED}
WHERE organization_id = $1 AND id = $2`;

  const PURGE = statement(`${name}_purge`)`DELETE FROM ${table}
WHERE organization_id = $1 AND id = $2 AND deleted_at IS NOT NULL RETURNING name`;

  const find = (organizationId: OrganizationId, id: string) => FIND(organizationId, ...ownValues(), id);

  /**
   * Runs the statements, then reads the row, in one round trip. Each statement sees the changes of earlier
   * ones, and of other transactions that these have waited for.
   */
  async function thenFind(
    { connection, organizationId }: Transaction,
    id: string,
    statements: readonly NamedStatement[],
  ): Promise<Stored<Thing> | undefined> {
    const answers = await Promise.all(
      [...statements, find(organizationId, id)].map((statement) =>
        connection.query<Stored<Thing>>(statement),
      ),
    );
    return answers.at(-1)?.[0];
  }

  return {
    /** Lists rows in the requested order, then by id. Page and total are consistent. */
    list(organizationId: OrganizationId, query: Query) {
      const sort = sortOf(query);
      return queryPage<Listed>(tenants, organizationId, query, {
        name: `${table}_list_${sort}${query.include ? '_version' : ''}`,
        from: `${table} r`,
        where: 'r.organization_id = $1 AND r.deleted_at IS NULL',
        values: ownValues(),
        filters: [...changedSince(query), ...description.filters(query)],
        total: `SELECT coalesce(sum(c.present), 0)::int FROM resource_counts c
          WHERE c.organization_id = $1 AND c.resource = '${table}'`,
        orderBy: ORDER_BY[sort],
        json: query.include ? `(${listJson})::jsonb || jsonb_build_object('version', ${version})` : listJson,
      });
    },
    /** Lists rows deleted after `since` in the same order, each with its version and the time of its deletion. */
    listDeleted(organizationId: OrganizationId, query: Query, since: Date) {
      const sort = sortOf(query);
      return queryPage<Listed>(tenants, organizationId, query, {
        name: `${table}_deleted_${sort}`,
        from: `${table} r`,
        where: 'r.organization_id = $1',
        values: ownValues(),
        filters: [
          { name: 'since', value: since, condition: (time) => `r.deleted_at > ${time}` },
          ...changedSince(query),
          ...description.filters(query),
        ],
        orderBy: ORDER_BY[sort],
        json: `(${listJson})::jsonb || jsonb_build_object(${OF_DELETED}, 'version', ${version})`,
      });
    },
    async find(organizationId: OrganizationId, id: Thing['id']) {
      const [row] = await tenants.queryAsTenant<Stored<Thing>>(organizationId, find(organizationId, id));
      return row;
    },
    /** Waits for concurrent changes of the row, and returns it with these changes. */
    lock: (transaction: Transaction, id: Thing['id']) =>
      thenFind(transaction, id, [LOCK(transaction.organizationId, id)]),
    /**
     * Sends the statements, and returns the row after them. @throws the database's error for the first
     * statement that fails
     */
    async write(transaction: Transaction, id: Thing['id'], ...statements: NamedStatement[]) {
      const written = await thenFind(transaction, id, statements);
      if (!written) throw new Error(`a ${name} is gone while it is locked`);
      return written;
    },
    /** Locks a row that is not deleted, or was deleted after `since`. */
    async lockRestorable({ connection, organizationId }: Transaction, id: Thing['id'], since: Date) {
      const [row] = await connection.query<{ deleted: boolean }>(LOCK_RESTORABLE(organizationId, id, since));
      return row;
    },
    /** Permanently deletes a row that is marked as deleted. @returns its name, or undefined if there was none */
    async purge({ connection, organizationId }: Transaction, id: Thing['id']): Promise<string | undefined> {
      const [gone] = await connection.query<{ name: string }>(PURGE(organizationId, id));
      return gone?.name;
    },
    /** Sets the time of the deletion. `null` restores the row. */
    async setDeleted({ connection, organizationId }: Transaction, id: Thing['id'], deletedAt: Date | null) {
      await connection.query(SET_DELETED(organizationId, id, deletedAt));
    },
  };
}

const changedSince = ({ updated_since }: ResourceList): Filter[] => [
  { name: 'updated_since', value: updated_since, condition: (time) => `r.updated_at >= ${time}` },
];
