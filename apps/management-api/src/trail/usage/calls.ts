import type { OrganizationId } from '@legate/ids';
import { type Page, pageParameters, toPage } from '@legate/pagination';
import { z } from 'zod';
import { Instant } from '../../domain/instant.ts';
import type { TenantReader } from '../../storage/reader.ts';
import { statement } from '../../storage/statement.ts';
import { type DayRange, dayRangeOf, periodOf, toDate } from './days.ts';
import { dayRange } from './usage.ts';

const Count = z.number().int().min(0);

export const CallCount = z
  .strictObject({
    period_start: Instant,
    period_end: Instant.describe('Exclusive'),
    key: z
      .string()
      .nullable()
      .describe(
        'The day, the id of the connector or agent, or the rule. `null`: calls without a connector or agent',
      ),
    allowed: Count.describe('Includes calls whose tool reported an error'),
    refused: Count,
    failed: Count,
  })
  .meta({
    id: 'CallCount',
    description: 'Number of calls on a day, or in a range by connector, agent or rule.',
  });
export type CallCount = z.output<typeof CallCount>;

export const ListCalls = z.strictObject({
  ...pageParameters,
  ...dayRange,
  by: z
    .enum(['day', 'connector', 'agent', 'rule'])
    .default('day')
    .describe(
      '`day`: one item per day, oldest first. Otherwise: one item per value for the whole range, most calls first',
    ),
});
export type ListCalls = z.output<typeof ListCalls>;

export type CallReport = ReturnType<typeof createCallReport>;

const KEYS = { connector: 'connector_id', agent: 'agent_id', rule: 'rule' } as const;
const OF_RANGE = 'organization_id = $1 AND day >= $2 AND day < $3';
const SUMS =
  'sum(allowed)::float8 AS allowed, sum(refused)::float8 AS refused, sum(failed)::float8 AS failed';
const BY_DAY = statement(
  'calls_by_day',
)`SELECT to_char(day, 'YYYY-MM-DD') AS key, ${SUMS} FROM call_counts WHERE ${OF_RANGE} GROUP BY day`;

type Sums = Pick<CallCount, 'allowed' | 'refused' | 'failed'>;

export function createCallReport(deps: { tenants: TenantReader; clock: () => Date }) {
  const { tenants } = deps;

  async function byDay(organizationId: OrganizationId, { from, to }: DayRange, query: ListCalls) {
    const rows = await tenants.queryAsTenant<Sums & { key: string }>(
      organizationId,
      BY_DAY(organizationId, toDate(from), toDate(to)),
    );
    const known = new Map(rows.map((row) => [row.key, row]));
    const days = Array.from({ length: to - from }, (_, index): CallCount => {
      const key = toDate(from + index);
      const { allowed = 0, refused = 0, failed = 0 } = known.get(key) ?? {};
      return { ...periodOf({ from: from + index, to: from + index + 1 }), key, allowed, refused, failed };
    });
    return toPage(days.slice(query.offset, query.offset + query.limit), days.length, query);
  }

  async function byKey(organizationId: OrganizationId, range: DayRange, query: ListCalls, column: string) {
    const { from, to } = range;
    const [row] = await tenants.queryAsTenant<{
      items: (Sums & { key: string | null })[] | null;
      total: number;
    }>(organizationId, {
      name: `calls_by_${column}`,
      text: `WITH sums AS (
  SELECT nullif(${column}, '') AS key, ${SUMS} FROM call_counts WHERE ${OF_RANGE} GROUP BY ${column}
), page AS (
  SELECT * FROM sums ORDER BY allowed + refused + failed DESC, key LIMIT $4 OFFSET $5
)
SELECT (SELECT count(*)::int FROM sums) AS total,
  (SELECT json_agg(p ORDER BY p.allowed + p.refused + p.failed DESC, p.key) FROM page p) AS items`,
      values: [organizationId, toDate(from), toDate(to), query.limit, query.offset],
    });
    const items = (row?.items ?? []).map((item): CallCount => ({ ...periodOf(range), ...item }));
    return toPage(items, row?.total ?? 0, query);
  }

  return {
    /** @throws {Problem} 400 for an empty range, or one of more than 90 days */
    async list(organizationId: OrganizationId, query: ListCalls): Promise<Page<CallCount>> {
      const range = dayRangeOf(query, deps.clock());
      if (query.by === 'day') return byDay(organizationId, range, query);
      return byKey(organizationId, range, query, KEYS[query.by]);
    },
  };
}
