import { z } from 'zod';
import { MAX_LIMIT, type PageRequest } from './page-query.ts';

const Pagination = z.strictObject({
  total: z.number().int().min(0).describe('Items in the whole list'),
  limit: z
    .number()
    .int()
    .min(1)
    .max(MAX_LIMIT)
    .describe(
      'Size of this page: the requested one, or the number of items returned if more would have exceeded the maximum size of a response',
    ),
  offset: z.number().int().min(0).describe('Items before this page'),
  has_more: z.boolean().describe('Whether more items follow. The next page begins at `offset` plus `limit`.'),
});

/** The envelope of every list. */
export interface Page<Item> {
  data: readonly Item[];
  pagination: z.output<typeof Pagination>;
}

/** @returns the schema of a list of `item`, for the API description and to check responses */
export function pageOf<Item>(item: z.ZodType<Item>): z.ZodType<Page<Item>> {
  return z.strictObject({ data: z.array(item), pagination: Pagination });
}

/**
 * @param items the requested page; empty if the offset is past the end
 * @param total counted in the same statement that read the items, otherwise page and total may disagree
 * @param isCut true if the page has fewer items than requested and more follow: `limit` is then their number, so that
 * adding it to `offset` gives the next page
 */
export function toPage<Item>(
  items: readonly Item[],
  total: number,
  request: PageRequest,
  isCut = false,
): Page<Item> {
  return { data: items, pagination: paginationOf({ count: items.length, total, isCut }, request) };
}

interface Found {
  /** Items on the page */
  readonly count: number;
  readonly total: number;
  readonly isCut: boolean;
}

/** A page whose items are JSON text from a database, which need not be parsed to be sent. */
export class PageText<Item> implements Page<Item> {
  readonly pagination: Page<Item>['pagination'];
  readonly #items: string;

  /**
   * @param items JSON of an array
   * @param found `total` and `isCut` as for `toPage`
   */
  constructor(items: string, found: Found, request: PageRequest) {
    this.#items = items;
    this.pagination = paginationOf(found, request);
  }

  get data(): readonly Item[] {
    return JSON.parse(this.#items);
  }

  toJSON(): Page<Item> {
    return { data: this.data, pagination: this.pagination };
  }

  /** Returns the JSON of the envelope. */
  toText(): string {
    return `{"data":${this.#items},"pagination":${JSON.stringify(this.pagination)}}`;
  }
}

function paginationOf(
  { count, total, isCut }: Found,
  { limit, offset }: PageRequest,
): Page<unknown>['pagination'] {
  return { total, limit: isCut ? count : limit, offset, has_more: offset + count < total };
}
