import { afterAll, beforeAll, expect, it } from '@jest/globals';
import request from 'supertest';
import { ulid } from 'ulid';
import { type Client, clientOf } from '../../testing/client.ts';
import { createTestApi, type TestApi } from '../../testing/test-api.ts';
import type { CallCount } from './calls.ts';

const DAY_MS = 24 * 3600 * 1000;

let api: TestApi;
let viewer: Client;
beforeAll(async () => {
  api = await createTestApi();
  viewer = await clientOf(api, 'org_acme', { roles: ['viewer'] });
  const token = await api.workloadToken('internal:audit-events');
  const event = (action: string, daysAgo: number, rule: string, agent?: string) => {
    const ms = api.now().getTime() - daysAgo * DAY_MS;
    return {
      ...{ id: `evt_${ulid(ms)}`, organization_id: 'org_acme', action },
      ...{ occurred_at: new Date(ms).toISOString(), actor: { type: 'user', id: 'user_bob' } },
      targets: [
        { type: 'connector', id: 'con_1' },
        ...(agent === undefined ? [] : [{ type: 'agent', id: agent }]),
      ],
      details: { leg: 'tool', rule },
    };
  };
  const events = [
    event('tool.called', 0, 'granted', 'agt_1'),
    event('tool.called', 1, 'granted', 'agt_1'),
    event('tool.denied', 1, 'tool_not_bound', 'agt_2'),
    event('tool.failed', 1, 'idp_unavailable'),
    event('session.opened', 1, 'none'),
    event('tool.called', 29, 'granted'),
  ];
  // The hub sends events again that were not confirmed
  for (const batch of [events, events.slice(2)])
    await request(api.app)
      .post('/internal/v1/audit-events')
      .auth(token, { type: 'bearer' })
      .send({ events: batch });
});
afterAll(() => api.close());

const list = async (query: string) => {
  const { status, body } = await viewer('get', `/usage/calls?${query}`);
  if (status !== 200) throw new Error(JSON.stringify(body));
  return body;
};
const counts = async (query: string) =>
  (await list(query)).data.map(({ key, allowed, refused, failed }: CallCount) => [
    ...[key, allowed, refused, failed],
  ]);
const dayAt = (daysAgo: number) =>
  new Date(api.now().getTime() - daysAgo * DAY_MS).toISOString().slice(0, 10);

it('counts each day of the range, with and without calls', async () => {
  const body = await list('limit=100');
  expect(body.pagination).toEqual({ total: 30, limit: 100, offset: 0, has_more: false });
  const busy = body.data.filter((day: CallCount) => day.allowed + day.refused + day.failed > 0);
  expect(busy).toMatchObject([
    { key: dayAt(29), allowed: 1, refused: 0, failed: 0 },
    { key: dayAt(1), allowed: 1, refused: 1, failed: 1 },
    { key: dayAt(0), allowed: 1, refused: 0, failed: 0, period_start: `${dayAt(0)}T00:00:00.000Z` },
  ]);
  expect(await counts('limit=1&offset=28')).toEqual([[dayAt(1), 1, 1, 1]]);
});

it.each([
  ['connector', [['con_1', 3, 1, 1]]],
  [
    'agent',
    [
      ['agt_1', 2, 0, 0],
      [null, 1, 0, 1],
      ['agt_2', 0, 1, 0],
    ],
  ],
  [
    'rule',
    [
      ['granted', 3, 0, 0],
      ['idp_unavailable', 0, 0, 1],
      ['tool_not_bound', 0, 1, 0],
    ],
  ],
])('counts by %s, in descending order of calls', async (by, expected) => {
  const found = await counts(`by=${by}`);
  expect(new Set(found.map(String))).toEqual(new Set(expected.map(String)));
  expect(found[0]).toEqual(expected[0]);
});

it('counts only the requested days, page by page', async () => {
  expect(await counts(`by=rule&from=${dayAt(1)}&to=${dayAt(0)}&limit=1&offset=2`)).toEqual([
    ['tool_not_bound', 0, 1, 0],
  ]);
  expect(await counts(`by=rule&from=${dayAt(10)}&to=${dayAt(5)}`)).toEqual([]);
});

it.each(['from=2026-01-02&to=2026-01-01', 'from=2026-01-01&to=2026-06-01'])('refuses %s', async (query) => {
  const { status, body } = await viewer('get', `/usage/calls?${query}`);
  expect([status, body.errors[0].code]).toEqual([400, 'out_of_range']);
});
