import { z } from 'zod';
import { MAX_LIMIT, type PageRequest } from './page-query.ts';

const Pagination = z.strictObject({
  /** Items in the whole list */
  total: z.number().int().min(0),
  limit: z.number().int().min(1).max(MAX_LIMIT),
  offset: z.number().int().min(0),
  /** Items follow this page */
  has_more: z.boolean(),
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
 * @param items the requested page; empty when the offset lies past the end
 * @param total counted in the same statement that read the items, or page and total may disagree
 */
export function toPage<Item>(items: readonly Item[], total: number, request: PageRequest): Page<Item> {
  const { limit, offset } = request;
  return { data: items, pagination: { total, limit, offset, has_more: offset + items.length < total } };
}
