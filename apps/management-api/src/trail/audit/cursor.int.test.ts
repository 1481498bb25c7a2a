import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { type Client, clientOf } from '../../testing/client.ts';
import { createTestApi, type TestApi } from '../../testing/test-api.ts';
import type { AuditEvent } from './audit-event.ts';

let api: TestApi;
let count = 0;
beforeAll(async () => {
  api = await createTestApi();
});
afterAll(() => api.close());

const ownerOf = (organization: string) => clientOf(api, organization, { roles: ['owner'] });

/** @param at number of seconds ago at which each event was recorded and, unless specified otherwise, occurred */
const insert = (organization: string, ids: readonly string[], at: { recorded: number; occurred?: number }) =>
  api.database.asOwner((owner) =>
    owner.query(
      `INSERT INTO audit_events (id, organization_id, action, actor, occurred_at, recorded_at)
       SELECT id, $1, 'x.y', '{"type":"system","id":"s","email":null}',
         clock_timestamp() - make_interval(secs => $3::float8), clock_timestamp() - make_interval(secs => $4::float8)
       FROM unnest($2::text[]) id`,
      [organization, ids, at.occurred ?? at.recorded, at.recorded],
    ),
  );

const cursorIn = (query: string) => new URLSearchParams(query).get('cursor') ?? '';

async function get(client: Client, query: string) {
  const { status, body, headers } = await client('get', `/audit-events${query}`);
  if (status !== 200) throw new Error(JSON.stringify(body));
  const [, next] = /^<(\?[^>]+)>; rel="next"$/.exec(String(headers.link ?? '')) ?? [];
  const ids = body.data.map(({ id }: AuditEvent) => id) as string[];
  return { ids, next, pagination: body.pagination };
}

describe('a list that is read by the links of its pages', () => {
  it('contains each event once, whatever is added in the meantime, in either order', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.integer({ min: 0, max: 12 }),
        fc.integer({ min: 1, max: 5 }),
        fc.constantFrom('occurred_at', '-occurred_at'),
        async (events, limit, sort) => {
          const organization = `org_${++count}`;
          const client = await ownerOf(organization);
          const before = Array.from({ length: events }, (_, index) => `evt_${count}_${index}`);
          // All have the same time, so that only the id distinguishes them
          await insert(organization, before, { recorded: 60 });
          const seen: string[] = [];
          let query: string | undefined = `?limit=${limit}&sort=${sort}&action=x.y`;
          for (let page = 0; query; page++) {
            const answer = await get(client, query);
            expect(answer.pagination).toMatchObject({
              ...{ limit, offset: seen.length, has_more: answer.next !== undefined },
            });
            expect(answer.pagination.total).toBeGreaterThanOrEqual(seen.length + answer.ids.length);
            seen.push(...answer.ids);
            query = answer.next;
            // Stops adding after four pages: a reader of the oldest events first would otherwise never reach
            // the end.
            if (page < 4) await insert(organization, [`evt_${count}_new_${page}`], { recorded: 1 });
          }
          const ofBefore = seen.filter((id) => before.includes(id));
          expect([ofBefore.length, new Set(seen).size]).toEqual([before.length, seen.length]);
          if (sort === '-occurred_at') expect(seen.length).toBe(before.length);
        },
      ),
      { numRuns: 15 },
    );
  });

  it('keeps the filters, and refuses a cursor with other filters, another order or another reader', async () => {
    const client = await ownerOf('org_filters');
    await insert('org_filters', ['evt_a', 'evt_b', 'evt_c'], { recorded: 60 });
    const { next = '' } = await get(client, '?limit=1&action=x.y&sort=occurred_at');
    expect((await get(client, next)).ids).toEqual(['evt_b']);
    expect((await get(client, next.replace('limit=1', 'limit=2'))).ids).toEqual(['evt_b', 'evt_c']);
    const { last, ...cursor } = JSON.parse(Buffer.from(cursorIn(next), 'base64url').toString());
    const forged = (at: object) =>
      next.replace(
        cursorIn(next),
        Buffer.from(JSON.stringify({ ...cursor, last: { ...last, ...at } })).toString('base64url'),
      );
    const viewer = await clientOf(api, 'org_filters', { roles: ['viewer'], sub: 'user_viewer' });
    for (const [reader, query] of [
      [client, next.replace('x.y', 'x.z')],
      [client, next.replace('sort=occurred_at', 'sort=-occurred_at')],
      [client, `${next}x&outcome=allowed`],
      [client, '?cursor=bm9uc2Vuc2U'],
      [client, '?cursor=%00'],
      [client, forged({ id: 'evt_\u0000' })],
      [client, forged({ at: '0000-01-01T00:00:00.000Z' })],
      [client, '?after=evt_gone'],
      [viewer, next],
    ] as const) {
      const { status, body } = await reader('get', `/audit-events${query}`);
      expect([query, status, body.code]).toEqual([query, 400, 'cursor_invalid']);
    }
  });
});

describe('a reader who follows the trail', () => {
  it('gets late events in order, none of the last 15 seconds, and a link on each page', async () => {
    const client = await ownerOf('org_follow');
    await insert('org_follow', ['evt_1'], { recorded: 60 });
    const first = await get(client, '?sort=recorded_at&action=x.y');
    expect([first.ids, first.pagination.has_more]).toEqual([['evt_1'], false]);
    await insert('org_follow', ['evt_0_late'], { recorded: 30, occurred: 3600 });
    await insert('org_follow', ['evt_2_young'], { recorded: 14 });
    const second = await get(client, first.next ?? '');
    expect(second.ids).toEqual(['evt_0_late']);
    const third = await get(client, second.next ?? '');
    expect([third.ids, third.pagination]).toEqual([[], { total: 2, limit: 20, offset: 2, has_more: false }]);
    expect((await get(client, third.next ?? '')).next).toBe(third.next);
  });
});

it('gets in a live view the events recorded after a given one, at once, including late ones', async () => {
  const client = await ownerOf('org_live');
  await insert('org_live', ['evt_1'], { recorded: 60 });
  await insert('org_live', ['evt_2'], { recorded: 1, occurred: 3600 });
  await insert('org_live', ['evt_3'], { recorded: 0 });
  const first = await get(client, '?after=evt_1&limit=1&action=x.y');
  expect([first.ids, first.pagination]).toEqual([
    ['evt_2'],
    { total: 2, limit: 1, offset: 0, has_more: true },
  ]);
  const second = await get(client, first.next ?? '');
  expect([second.ids, second.pagination.has_more, second.next]).toEqual([
    ['evt_3'],
    false,
    '?limit=1&action=x.y&after=evt_3',
  ]);
});
