import { validationFailed } from '@legate/service';

const DAY_MS = 24 * 3600 * 1000;
const DEFAULT_DAYS = 30;
const MAX_DAYS = 90;

/** Days since the epoch, in UTC; `to` is exclusive */
export interface DayRange {
  readonly from: number;
  readonly to: number;
}

/** @throws {Problem} 400 for an empty range, or one of more than 90 days */
export function dayRangeOf(
  query: { readonly from?: string | undefined; readonly to?: string | undefined },
  now: Date,
): DayRange {
  const today = dayOf(now);
  const to = query.to === undefined ? today + 1 : toDay(query.to);
  const from = query.from === undefined ? to - DEFAULT_DAYS : toDay(query.from);
  if (to - from < 1) throw outOfRange('Must be before "to": the range ends the day before "to".');
  if (to - from > MAX_DAYS) throw outOfRange(`Must be at most ${MAX_DAYS} days before "to".`);
  return { from, to };
}

export const dayOf = (time: Date): number => Math.floor(time.getTime() / DAY_MS);
const toDay = (date: string): number => Date.parse(date) / DAY_MS;
const toInstant = (day: number): string => new Date(day * DAY_MS).toISOString();
/** Returns a day as `2026-01-31` */
export const toDate = (day: number): string => toInstant(day).slice(0, 10);

/** Returns the days of a range as items of lists show them. */
export const periodOf = ({ from, to }: DayRange) => ({
  period_start: toInstant(from),
  period_end: toInstant(to),
});

const outOfRange = (detail: string) =>
  validationFailed([{ parameter: 'from', code: 'out_of_range', detail }]);
