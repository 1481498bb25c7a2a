import { pageParameters } from '@legate/pagination';
import { z } from 'zod';
import { Instant } from '../../domain/instant.ts';

/** The usage of an organization on one day, in UTC. */
export const Usage = z
  .strictObject({
    period_start: Instant.describe('Midnight'),
    period_end: Instant.describe('The next midnight, exclusive'),
    requests: z
      .number()
      .int()
      .min(0)
      .describe('Requests that counted against the rate limit, including refused ones'),
    throttled: z.number().int().min(0).describe('Those that were refused because the limit was reached'),
    embed_sessions: z.number().int().min(0).describe('0 until sites can be embedded'),
  })
  .meta({ id: 'Usage', description: 'The requests of a day.' });
export type Usage = z.output<typeof Usage>;

/** Excludes the year 0 and others that not all databases support. */
const FIRST_DAY = '2000-01-01';

const Day = z.iso.date({ abort: true }).refine((day) => day >= FIRST_DAY, {
  error: `Must be ${FIRST_DAY} or later.`,
  params: { code: 'out_of_range' },
});

/** A range of days, of at most 90 */
export const dayRange = {
  from: Day.optional().describe('First day; default 30 days before `to`'),
  to: Day.optional().describe('The day after the last one; default tomorrow'),
};

export const ListUsage = z.strictObject({ ...pageParameters, ...dayRange });
export type ListUsage = z.output<typeof ListUsage>;
