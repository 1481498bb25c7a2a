/** The language of the strings in en.ts, used to format dates and numbers. */
const LANGUAGE = 'en-GB';

const numbers = new Intl.NumberFormat(LANGUAGE);
const plurals = new Intl.PluralRules(LANGUAGE);
const dateTimes = new Intl.DateTimeFormat(LANGUAGE, { dateStyle: 'medium', timeStyle: 'medium' });
const days = new Intl.DateTimeFormat(LANGUAGE, { day: 'numeric', month: 'short' });
const daysWithYear = new Intl.DateTimeFormat(LANGUAGE, { day: 'numeric', month: 'short', year: 'numeric' });
const lists = new Intl.ListFormat(LANGUAGE, { type: 'conjunction' });
const relative = new Intl.RelativeTimeFormat(LANGUAGE, { numeric: 'auto' });

export const number = (value: number): string => numbers.format(value);
export const dateTime = (date: Date): string => dateTimes.format(date);
export const day = (date: Date): string => days.format(date);
/** Returns "30 Oct – 29 Nov", with the year if it is not the current one. */
export const dayRange = (from: Date, to: Date, now: Date): string =>
  (from.getFullYear() === now.getFullYear() ? days : daysWithYear).formatRange(from, to);
export const list = (items: readonly string[]): string => lists.format(items);
export const utc = (date: Date): string =>
  `${date
    .toISOString()
    .replace('T', ' ')
    .replace(/\.\d+Z$/, '')} UTC`;

/** Returns a number with the singular or plural of a word: "1 tool", "2 tools". */
export const count = (value: number, one: string, other: string): string =>
  `${number(value)} ${plurals.select(value) === 'one' ? one : other}`;

const STEPS: readonly (readonly [Intl.RelativeTimeFormatUnit, number])[] = [
  ['day', 86_400],
  ['hour', 3600],
  ['minute', 60],
];

/** Returns "2 hours ago", "in 5 minutes"; a date if it is more than a week away. */
export function relativeTime(date: Date, now: Date): string {
  const seconds = (date.getTime() - now.getTime()) / 1000;
  if (Math.abs(seconds) >= 7 * 86_400)
    return date.getFullYear() === now.getFullYear() ? days.format(date) : daysWithYear.format(date);
  for (const [unit, size] of STEPS)
    if (Math.abs(seconds) >= size) return relative.format(Math.trunc(seconds / size), unit);
  return seconds > 0 ? relative.format(1, 'minute') : 'just now';
}
