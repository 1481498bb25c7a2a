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
      'Size of this page: as asked for, or the number of its items where more would have been too many bytes',
    ),
  offset: z.number().int().min(0).describe('Items before this page'),
  has_more: z.boolean().describe('Whether items follow this page: they begin at `offset` plus `limit`'),
});

/** The list envelope of the product's specification, section 2. */
export interface Page<Item> {
  data: readonly Item[];
  pagination: z.output<typeof Pagination>;
}

/** @returns the schema of a list of `item`: for the API description, and to check answers against it */
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
  const { offset } = request;
  const limit = isCut ? items.length : request.limit;
  return { data: items, pagination: { total, limit, offset, has_more: offset + items.length < total } };
}
