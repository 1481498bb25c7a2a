import type { OrganizationId } from '@legate/ids';
import { type Page, type PageRequest, PageText, toPage } from '@legate/pagination';
import type { TenantReader } from './reader.ts';

/** A condition of a list, omitted if its value is undefined. */
export interface Filter {
  readonly name: string;
  readonly value: unknown;
  /** @param parameter placeholder of the value, such as `$5` */
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
  /** SQL of the number of rows without filters; default: they are counted for each page */
  readonly total?: string;
  /** A total order, so that the pages neither repeat nor miss a row */
  readonly orderBy: string;
  /** SQL of a row as the API shows it */
  readonly json: string;
}

/**
 * Maximum bytes of a page as JSON: unusually large items must not fill the memory of a process. A usual page
 * is a tenth of it.
 */
export const PAGE_BYTES = 512 * 1024;

/**
 * Reads a page of at most `PAGE_BYTES`, but at least one item; omitted items are not read from the database.
 * It is one statement, so that page and total are consistent. It does not use `count(*) OVER ()`, which
 * returns nothing if the offset is past the end. Each set of filters has its own SQL text, so that the plain
 * list has its own plan.
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
  const name = [listing.name, ...filters.map((filter) => filter.name)].join('_');
  const counted =
    (filters.length === 0 && listing.total) || `SELECT count(*)::int FROM ${from} WHERE ${where}`;
  // OFFSET 0, because the page would otherwise be read once for each reference to it.
  const found = `SELECT
    (${counted}) AS total,
    (SELECT coalesce(json_agg(${json} ORDER BY ${orderBy})::text, '[]') FROM (
      SELECT r.* FROM ${from} WHERE ${where} ORDER BY ${orderBy} LIMIT ${limit} OFFSET ${offset}
    ) r) AS items
  OFFSET 0`;
  const ask = async <Row>(name: string, select: string): Promise<Row> => {
    const text = `${select} FROM (${found}) found`;
    const [row] = await tenants.queryAsTenant<Row>(organizationId, { name, text, values });
    if (!row) throw new Error('a list has no row');
    return row;
  };
  const { total, items } = await ask<{ total: number; items: string | null }>(name, FITTING);
  if (items !== null) {
    const count = Math.min(page.limit, Math.max(0, total - page.offset));
    return new PageText(items, { count, total, isCut: false }, page);
  }
  const cut = await ask<{ total: number; items: Item[] }>(`${name}_cut`, CUT);
  const isCut = cut.items.length < Math.min(page.limit, cut.total - page.offset);
  return toPage(cut.items, cut.total, page, isCut);
}

const FITTING = `SELECT total, CASE WHEN octet_length(items) <= ${PAGE_BYTES} THEN items END AS items`;

/**
 * Measures each item, in a separate statement: a page that is too large is rare, and preparing to cut would
 * cost every other page a tenth of its time. `json_array_elements` keeps the text of an item.
 */
const CUT = `SELECT total, (SELECT json_agg(item ORDER BY place) FROM (
    SELECT item, place, sum(octet_length(item::text)) OVER (ORDER BY place) AS bytes
    FROM json_array_elements(items::json) WITH ORDINALITY AS element (item, place)
  ) sized WHERE place = 1 OR bytes <= ${PAGE_BYTES}) AS items`;
