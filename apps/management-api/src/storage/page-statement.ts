import type { OrganizationId } from '@legate/ids';
import { type Page, type PageRequest, PageText } from '@legate/pagination';
import type { TenantReader } from './reader.ts';

/** A condition of a list, left out where its value is undefined. */
export interface Filter {
  readonly name: string;
  readonly value: unknown;
  /** @param parameter the value, as `$5` */
  readonly condition: (parameter: string) => string;
}

/** The SQL of a list, in which a row is `r`, `$1` the organization, and `$2`, `$3` … are `values`. */
export interface Listing {
  /** Name of the prepared statement; the filters in use extend it */
  readonly name: string;
  readonly from: string;
  readonly where: string;
  readonly values?: readonly unknown[];
  readonly filters?: readonly Filter[];
  /** A total order, so that walking the pages neither repeats nor misses a row */
  readonly orderBy: string;
  /** A row as the API shows it */
  readonly json: string;
}

/**
 * JSON of a page, in bytes: items of an unusual size must not fill the memory of a process. A page of usual items is a
 * tenth of it.
 */
export const PAGE_BYTES = 512 * 1024;

/**
 * Reads a page of at most `PAGE_BYTES`, but at least one item; omitted items are not read from the database. One
 * statement, so that page and total are consistent. Not `count(*) OVER ()`, which is lost with the rows when the offset
 * is past the end. One text per set of filters, so that the plain list has its own plan.
 */
export async function queryPage<Item>(
  tenants: TenantReader,
  organizationId: OrganizationId,
  page: PageRequest,
  listing: Listing,
): Promise<Page<Item>> {
  const { from, orderBy, json } = listing;
  const values: unknown[] = [organizationId, ...(listing.values ?? [])];
  const bind = (value: unknown) => `$${values.push(value)}`;
  const [limit, offset] = [bind(page.limit), bind(page.offset)];
  const filters = (listing.filters ?? []).filter(({ value }) => value !== undefined);
  const where = [listing.where, ...filters.map(({ condition, value }) => condition(bind(value)))].join(
    ' AND ',
  );
  const [row] = await tenants.queryAsTenant<Row>(organizationId, {
    name: [listing.name, ...filters.map(({ name }) => name)].join('_'),
    text: `WITH page AS (
  SELECT r.* FROM ${from} WHERE ${where} ORDER BY ${orderBy} LIMIT ${limit} OFFSET ${offset}
), whole AS MATERIALIZED (
  SELECT count(*)::int AS found, coalesce(json_agg(${json} ORDER BY ${orderBy}), '[]') AS items FROM page r
)
SELECT
  (SELECT count(*)::int FROM ${from} WHERE ${where}) AS total,
  found,
  octet_length(items::text) > ${PAGE_BYTES} AS is_too_large,
  (CASE WHEN octet_length(items::text) <= ${PAGE_BYTES} THEN items ELSE (${cutTo(PAGE_BYTES)}) END)::text AS items
FROM whole`,
    values,
  });
  if (!row) throw new Error('an aggregate has no row');
  const { items, found, total } = row;
  const count = row.is_too_large ? (JSON.parse(items) as unknown[]).length : found;
  return new PageText<Item>(items, { count, total, isCut: count < found }, page);
}

interface Row {
  readonly total: number;
  /** Rows of the page, whether or not they fit */
  readonly found: number;
  readonly is_too_large: boolean;
  /** JSON */
  readonly items: string;
}

/** Measures each item, which only a page that is too large is worth. `json_array_elements` keeps the text of an item. */
const cutTo = (bytes: number): string => `SELECT json_agg(item ORDER BY place) FROM (
    SELECT item, place, sum(octet_length(item::text)) OVER (ORDER BY place) AS bytes
    FROM json_array_elements(items) WITH ORDINALITY AS element (item, place)
  ) sized WHERE place = 1 OR bytes <= ${bytes}`;
