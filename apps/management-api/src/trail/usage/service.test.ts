import { expect, it } from '@jest/globals';
import { OrganizationId } from '@legate/ids';
import fc from 'fast-check';
import { parseQuery } from '../../http/api/query.ts';
import { createUsageReport } from './service.ts';
import type { UsageDay } from './store.ts';
import { ListUsage, Usage } from './usage.ts';

const clock = () => new Date('2026-09-21T12:00:00Z');
const SAVED: readonly UsageDay[] = [
  { day: '2026-08-23', requests: 7, throttled: 0 },
  { day: '2026-09-21', requests: 5, throttled: 2 },
];
const report = createUsageReport({
  store: { read: async (_id, first, last) => SAVED.filter(({ day }) => day >= first && day <= last) },
  clock,
});
const list = async (query: Record<string, string>) =>
  report.list(OrganizationId.parse('org_acme'), parseQuery(ListUsage, query));

it('returns the last 30 days including today, and zeros for days without requests', async () => {
  const page = await list({ limit: '100' });
  expect(page.pagination).toEqual({ total: 30, limit: 100, offset: 0, has_more: false });
  expect([page.data.at(0), page.data.at(1), page.data.at(-1)]).toEqual([
    usage('2026-08-23', '2026-08-24', 7, 0),
    usage('2026-08-24', '2026-08-25', 0, 0),
    usage('2026-09-21', '2026-09-22', 5, 2),
  ]);
});

const usage = (from: string, to: string, requests: number, throttled: number): Usage => ({
  period_start: `${from}T00:00:00.000Z`,
  period_end: `${to}T00:00:00.000Z`,
  requests,
  throttled,
  embed_sessions: 0,
});

it.each([
  ['from to to, which is not part of it', { from: '2026-02-27', to: '2026-03-01' }, 2, '2026-02-27'],
  ['from to today', { from: '2026-09-20' }, 2, '2026-09-20'],
  ['30 days before to', { to: '2026-03-01' }, 30, '2026-01-30'],
  ['90 days', { from: '2026-01-01', to: '2026-04-01' }, 90, '2026-01-01'],
  ['days to come', { from: '2030-01-01', to: '2030-01-02' }, 1, '2030-01-01'],
])('accepts the range: %s', async (_case, query, total, first) => {
  const page = await list(query);
  expect([page.pagination.total, page.data.at(0)?.period_start]).toEqual([total, `${first}T00:00:00.000Z`]);
});

it.each([
  ['91 days', { from: '2026-01-01', to: '2026-04-02' }, 'from', 'out_of_range'],
  ['no day', { from: '2026-01-01', to: '2026-01-01' }, 'from', 'out_of_range'],
  ['a range that ends before it begins', { from: '2026-01-02', to: '2026-01-01' }, 'from', 'out_of_range'],
  ['a beginning after today', { from: '2026-09-22' }, 'from', 'out_of_range'],
  ['the year 0', { to: '0000-01-01' }, 'to', 'out_of_range'],
  ['a day that no month has', { from: '2026-02-30' }, 'from', 'invalid_format'],
  ['a time', { from: '2026-02-01T00:00:00Z' }, 'from', 'invalid_format'],
  ['an empty date', { to: '' }, 'to', 'invalid_format'],
])('refuses %s', async (_case, query, parameter, code) => {
  await expect(list(query)).rejects.toMatchObject({
    status: 400,
    code: 'validation_failed',
    errors: [{ parameter, code }],
  });
});

it('returns every day of a range on exactly one page', async () => {
  const anyRange = fc.record({
    days: fc.integer({ min: 1, max: 90 }),
    limit: fc.integer({ min: 1, max: 100 }),
  });
  await fc.assert(
    fc.asyncProperty(anyRange, async ({ days, limit }) => {
      const from = new Date(Date.UTC(2026, 0, 1 + 90 - days)).toISOString().slice(0, 10);
      const starts: string[] = [];
      for (let offset = 0; ; offset += limit) {
        const page = await list({ from, to: '2026-04-01', limit: String(limit), offset: String(offset) });
        expect(page.pagination.total).toBe(days);
        starts.push(...page.data.map((day) => Usage.parse(day).period_start));
        if (!page.pagination.has_more) break;
      }
      expect(new Set(starts).size).toBe(days);
      expect(starts).toHaveLength(days);
      expect(starts).toEqual([...starts].sort());
    }),
  );
});

it('returns nothing past the end, and sends no query', async () => {
  const page = await list({ offset: '999999999' });
  expect([page.data, page.pagination.total, page.pagination.has_more]).toEqual([[], 30, false]);
});
