const UNITS = [
  ['d', 86_400],
  ['h', 3600],
  ['min', 60],
  ['s', 1],
] as const;

/** Formats a time relative to now: `in 4 min`, `2 h ago`. */
export function relativeTime(time: Date, now: Date): string {
  const seconds = Math.round((time.getTime() - now.getTime()) / 1000);
  const [unit, size] = UNITS.find(([, each]) => Math.abs(seconds) >= each) ?? ['s', 1];
  const amount = `${Math.round(Math.abs(seconds) / size)} ${unit}`;
  return seconds < 0 ? `${amount} ago` : `in ${amount}`;
}

/** Formats a time for people: `2026-11-25 16:02:11Z` */
export const timeText = (time: Date): string =>
  Number.isNaN(time.getTime()) ? '?' : `${time.toISOString().slice(0, 19).replace('T', ' ')}Z`;

const SECONDS = { s: 1, m: 60, min: 60, h: 3600, d: 86_400 } as const;

/** Parses `90s`, `10m`, `2h`, `7d` as that long ago, or a date. @returns undefined for anything else */
export function parseSince(text: string, now: Date): Date | undefined {
  const [, amount, unit] = /^(\d{1,6})(s|m|min|h|d)$/.exec(text) ?? [];
  if (amount !== undefined)
    return new Date(now.getTime() - Number(amount) * 1000 * SECONDS[unit as keyof typeof SECONDS]);
  const time = /^\d{4}-\d\d-\d\d(T[\d:.]+(Z|[+-]\d\d:\d\d)?)?$/.test(text)
    ? new Date(text)
    : new Date(Number.NaN);
  return Number.isNaN(time.getTime()) ? undefined : time;
}
