/** Filters of the page, as they appear in its URL. */
export interface AuditSearch {
  readonly outcome?: Outcome | undefined;
  readonly action?: string | undefined;
  readonly actor?: string | undefined;
  readonly target?: string | undefined;
  readonly rule?: string | undefined;
  /** Id of a request: selects the events that it caused */
  readonly request?: string | undefined;
  readonly q?: string | undefined;
  readonly range?: Range | undefined;
  /** First and last day of a range, such as 2026-11-22, in the reader's time zone */
  readonly from?: string | undefined;
  readonly to?: string | undefined;
  readonly offset?: number | undefined;
  /** The event whose panel is open */
  readonly event?: string | undefined;
}

export type Outcome = 'allowed' | 'refused' | 'failed';
export type Range = keyof typeof DAYS;
export const DAYS = { day: 1, week: 7, month: 30 } as const;

const OUTCOMES: readonly string[] = ['allowed', 'refused', 'failed'] satisfies readonly Outcome[];
const MAX_TEXT = 255;

/** Reads the URL and ignores malformed parameters. The default range, a month, is never in the URL. */
export function readSearch(search: Record<string, unknown>): AuditSearch {
  const { outcome, range, offset } = search;
  const texts = (['action', 'actor', 'target', 'rule', 'request', 'q', 'event'] as const).flatMap((name) => {
    const value = search[name];
    const text = typeof value === 'number' ? String(value) : value; // the router reads ?q=1 as a number
    return typeof text === 'string' && text !== '' ? [[name, text.slice(0, MAX_TEXT)]] : [];
  });
  return {
    ...Object.fromEntries(texts),
    ...(typeof outcome === 'string' && OUTCOMES.includes(outcome) && { outcome: outcome as Outcome }),
    ...daysOf(search),
    ...((range === 'day' || range === 'week') && { range }),
    ...(typeof offset === 'number' && Number.isInteger(offset) && offset > 0 && { offset }),
  };
}

function daysOf(search: Record<string, unknown>) {
  const days = (['from', 'to'] as const).map((name) => [name, search[name]] as const);
  return Object.fromEntries(
    days.filter(([, day]) => typeof day === 'string' && beginningOf(day) !== undefined),
  );
}

/**
 * Returns the beginning of a day, or of the day after it, in the reader's time zone; undefined for an invalid
 * day.
 */
function beginningOf(day: string, after = 0): Date | undefined {
  const parts = /^(\d{4})-(\d\d)-(\d\d)$/.exec(day)?.slice(1).map(Number);
  const [year = 0, month = 0, date = 0] = parts ?? [];
  const found = new Date(year, month - 1, date);
  const isDay = parts !== undefined && found.getMonth() === month - 1 && found.getDate() === date;
  return isDay ? new Date(year, month - 1, date + after) : undefined;
}

/** Returns true if the reader chose days, whose events no longer change. */
export const hasDays = ({ from, to }: AuditSearch): boolean => from !== undefined || to !== undefined;

/** Returns true if a filter other than the range is set. */
export const isFiltered = ({ outcome, action, actor, target, rule, request, q }: AuditSearch): boolean =>
  [outcome, action, actor, target, rule, request, q].some((one) => one !== undefined);

/** Returns the first and last instant of the range; without one, of the last 30 days, as the API does. */
export function rangeOf(search: AuditSearch, now: Date): { readonly from: Date; readonly to: Date } {
  const { from, to } = queryOf({ ...search, range: search.range ?? 'month' }, now);
  return { from: new Date(from ?? now), to: to === undefined ? now : new Date(Date.parse(to) - 1) };
}

/** Parameters of the API for these filters; without `from` for the default range, which is also the API's default. */
export function queryOf(search: AuditSearch, now: Date) {
  const { outcome, action, actor, target, rule, request, q, range } = search;
  const recent = range && new Date(Math.floor(now.getTime() / 60_000) * 60_000 - DAYS[range] * 86_400_000);
  return {
    ...{ outcome, action, rule, search: q, actor_id: actor, target_id: target, request_id: request },
    from: (search.from === undefined ? recent : beginningOf(search.from))?.toISOString(),
    to: search.to === undefined ? undefined : beginningOf(search.to, 1)?.toISOString(),
  };
}
