import { pageParameters } from '@legate/pagination';
import { z } from 'zod';

/** What an organization used on one day, in UTC. */
export const Usage = z.strictObject({
  /** Midnight */
  period_start: z.iso.datetime({ precision: 3 }),
  /** The next midnight, which is not part of it */
  period_end: z.iso.datetime({ precision: 3 }),
  /** What counted against the rate limit, refusals included */
  requests: z.number().int().min(0),
  /** Of them refused because the limit was reached */
  throttled: z.number().int().min(0),
  /** 0 until sites can be embedded */
  embed_sessions: z.number().int().min(0),
});
export type Usage = z.output<typeof Usage>;

/** Not the year 0 or the like, which dates of databases do not all know. */
const FIRST_DAY = '2000-01-01';

const Day = z.iso.date({ abort: true }).refine((day) => day >= FIRST_DAY, {
  error: `From ${FIRST_DAY} on.`,
  params: { code: 'out_of_range' },
});

export const ListUsage = z.strictObject({
  ...pageParameters,
  /** First day; default 30 days before `to` */
  from: Day.optional(),
  /** The day after the last one; default tomorrow */
  to: Day.optional(),
});
export type ListUsage = z.output<typeof ListUsage>;
