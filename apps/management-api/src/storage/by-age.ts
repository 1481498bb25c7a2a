import { pageParameters } from '@legate/pagination';
import { z } from 'zod';

/** Parameters of a list that is sorted only by age: oldest first, so that new items do not shift the pages. */
export const byAge = { ...pageParameters, sort: z.enum(['created_at', '-created_at']).default('created_at') };
export const ListByAge = z.strictObject(byAge);
export type ListByAge = z.output<typeof ListByAge>;

/** @param tie column that orders items of the same age */
export const orderByAge = (sort: ListByAge['sort'], tie: string): string =>
  sort === 'created_at' ? `r.created_at, r.${tie}` : `r.created_at DESC, r.${tie} DESC`;
