import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, expect, it } from '@jest/globals';
import { type Client, clientOf } from '../../testing/client.ts';
import { createTestApi, type TestApi } from '../../testing/test-api.ts';

/** The guarantees of reading a list by offset while others change it; see docs/adr/0010. */
const SITES = 500;
const PAGE = 37;

let api: TestApi;
beforeAll(async () => {
  api = await createTestApi();
});
afterAll(() => api.close());

let organization: string;
let client: Client;
/** Ids of the sites that existed before the list was read, all created at the same moment. */
let present: string[];
beforeEach(async () => {
  organization = `org_${randomUUID()}`;
  client = await clientOf(api, organization);
  present = await api.database.asOwner(async (owner) => {
    await owner.query("INSERT INTO organizations (id, name) VALUES ($1, 'Acme')", [organization]);
    // The ids are in another order than the rows: only a total order keeps rows with the same time in one
    // order.
    const { rows } = await owner.query<{ id: string }>(
      `INSERT INTO sites (id, organization_id, name, created_at)
       SELECT 'site_' || md5($1 || i::text), $1, 'Site ' || i, '2026-01-15T12:00:00Z' FROM generate_series(1, $2) i
       RETURNING id`,
      [organization, SITES],
    );
    return rows.map(({ id }) => id);
  });
});

async function* walk(sort: string): AsyncGenerator<string[]> {
  for (let offset = 0, more = true; more; offset += PAGE) {
    const { status, body } = await client('get', `/sites?sort=${sort}&limit=${PAGE}&offset=${offset}`);
    expect(status).toBe(200);
    yield body.data.map(({ id }: { id: string }) => id);
    more = body.pagination.has_more;
  }
}

/** Repeats `work` while the list is read to its end. */
async function meanwhile(work: () => Promise<unknown>, sort: string) {
  let walking = true;
  let times = 0;
  const others = (async () => {
    while (walking) {
      await work();
      times += 1;
    }
  })();
  const seen: string[] = [];
  try {
    for await (const page of walk(sort)) seen.push(...page);
  } finally {
    walking = false;
    await others;
  }
  expect(times).toBeGreaterThan(0);
  return { seen, times };
}

const create = async () => expect((await client('post', '/sites', { name: 'New' })).status).toBe(201);

/** Deletes the sites in list order: first those that the reader has seen, then the others. */
function deletion() {
  const left = [...present].sort();
  const deleted = new Set<string>();
  return {
    deleted,
    async remove() {
      const id = left.shift();
      if (id === undefined) return;
      expect((await client('delete', `/sites/${id}`)).status).toBe(204);
      deleted.add(id);
    },
  };
}

const countOf = (ids: readonly string[]) => {
  const counts = new Map<string, number>();
  for (const id of ids) counts.set(id, (counts.get(id) ?? 0) + 1);
  return counts;
};

it.each(['created_at', 'name'])(
  'sees each earlier site once, oldest first or by name, while others are created: sort=%s',
  async (sort) => {
    // A name after all others, so that new sites come last in this order too.
    const createLast = async () => expect((await client('post', '/sites', { name: 'Zzz' })).status).toBe(201);
    const { seen } = await meanwhile(createLast, sort);
    const counts = countOf(seen);
    expect(present.filter((id) => counts.get(id) !== 1)).toEqual([]);
  },
);

it('returns every earlier site, newest first, while others are created; some may appear twice', async () => {
  const { seen, times } = await meanwhile(create, '-created_at');
  const counts = countOf(seen);
  expect(present.filter((id) => !counts.has(id))).toEqual([]);
  expect(present.filter((id) => (counts.get(id) ?? 0) > 1).length).toBeLessThanOrEqual(times);
});

it('returns no site twice, oldest first, while others are deleted; at most one is missed for each deletion', async () => {
  const { remove, deleted } = deletion();
  const { seen } = await meanwhile(remove, 'created_at');
  const counts = countOf(seen);
  expect(present.filter((id) => (counts.get(id) ?? 0) > 1)).toEqual([]);
  const missed = present.filter((id) => !deleted.has(id) && !counts.has(id));
  expect(missed.length).toBeLessThanOrEqual(deleted.size);
});

it('returns each site that stays once, newest first, while those at the end of the list are deleted', async () => {
  const { remove, deleted } = deletion();
  const { seen } = await meanwhile(async () => {
    // These are at the end of a list with the newest first, so their deletion does not shift the sites that
    // are still to be read.
    if (deleted.size < SITES / 5) await remove();
    else await client('get', '/sites?limit=1');
  }, '-created_at');
  const counts = countOf(seen);
  expect(present.filter((id) => !deleted.has(id) && counts.get(id) !== 1)).toEqual([]);
});

it('keeps the order of items with the same time from page to page, in either direction', async () => {
  const collect = async (sort: string) => {
    const seen: string[] = [];
    for await (const page of walk(sort)) seen.push(...page);
    return seen;
  };
  const [up, down] = [await collect('created_at'), await collect('-created_at')];
  expect(up).toEqual([...present].sort());
  expect(down).toEqual(up.toReversed());
});
