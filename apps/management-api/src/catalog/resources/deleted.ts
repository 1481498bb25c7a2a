import { extensionOf } from '@legate/operations';
import { pageParameters } from '@legate/pagination';
import { validationFailed } from '@legate/service';
import { z } from 'zod';
import { Instant } from '../../domain/instant.ts';
import { InstantFilter } from '../../domain/text-filter.ts';

/** Sort orders of a list of sites, agents or connectors */
const SORTS = ['created_at', '-created_at', 'name', '-name', 'deleted_at', '-deleted_at'] as const;
export type Sort = (typeof SORTS)[number];

/** Parameters that the lists of sites, agents and connectors share */
export const resourceListParameters = {
  ...pageParameters,
  sort: z
    .enum(SORTS)
    .optional()
    .describe(
      'Default: `created_at`, or `-deleted_at` with `deleted=true`. Only deleted items can be sorted by `deleted_at`',
    ),
  deleted: z
    .enum(['true', 'false'])
    .transform((deleted) => deleted === 'true')
    .optional()
    .describe('`true`: lists items that were deleted and can still be restored'),
  include: z
    .enum(['version'])
    .optional()
    .describe('`version`: adds to each item the version of its `ETag`, for `If-Match`'),
  updated_since: InstantFilter.optional().describe('Only items that were changed at this time or later'),
};

/** The parameters of a list request */
export interface ResourceList {
  readonly limit: number;
  readonly offset: number;
  readonly sort?: Sort | undefined;
  readonly deleted?: boolean | undefined;
  readonly include?: 'version' | undefined;
  readonly updated_since?: Date | undefined;
}

/** @throws {Problem} 400 for a sort by `deleted_at` if the list is not of deleted items */
export function sortOf({ sort, deleted }: ResourceList): Sort {
  if (sort === undefined) return deleted ? '-deleted_at' : 'created_at';
  if (!deleted && sort.endsWith('deleted_at')) {
    throw validationFailed([
      { parameter: 'sort', code: 'only_deleted', detail: 'Allowed only together with deleted=true.' },
    ]);
  }
  return sort;
}

const version = z.string().describe('Value of its `ETag`, without the quotes');

/** Returns the schema of an item of a list with `include=version`. */
export const itemWithVersion = (item: z.ZodObject, noun: string) =>
  item.extend({ version }).meta(
    extensionOf(item, {
      id: `${noun}WithVersion`,
      description: 'An item of a list with `include=version`.',
    }),
  );

/** Returns the schema of an item of a list of deleted items. */
export const deletedItem = (item: z.ZodObject, noun: string) =>
  item
    .extend({
      deleted_at: Instant,
      restorable_until: Instant.describe('Time after which it is purged'),
      version,
    })
    .meta(extensionOf(item, { id: `Deleted${noun}`, description: 'An item of a list with `deleted=true`.' }));
