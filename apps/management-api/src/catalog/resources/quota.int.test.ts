import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import type { Response } from 'supertest';
import { type Client, clientOf } from '../../testing/client.ts';
import { createTestApi, type TestApi } from '../../testing/test-api.ts';

let api: TestApi;
let acme: Client;
let count = 0;
beforeAll(async () => {
  api = await createTestApi({ quotas: { sites: 3, agents: 3, connectors: 3 } });
});
afterAll(() => api.close());
beforeEach(async () => {
  acme = await clientOf(api, `org_${++count}`, { roles: ['admin'] });
});

const KINDS = ['sites', 'agents', 'connectors'];
const code = ({ status, body }: Response) => (status < 400 ? [status] : [status, body.code]);
const FULL = [409, 'quota_exceeded'];
const countsIn = ({ body: { present, deleted, limit } }: Response) => ({ present, deleted, limit });

let name = 0;
function create(kind: string, client = acme): Promise<Response> {
  const resource_url = `https://tools-${++name}.example`;
  const ofConnector = { resource_url, auth_method: 'passthrough', acknowledge_legacy: true };
  return client('post', `/${kind}`, { name: 'One', ...(kind === 'connectors' && ofConnector) });
}
const createMany = (kind: string, many: number) =>
  Promise.all(Array.from({ length: many }, () => create(kind)));
const total = async (kind: string) => (await acme('get', `/${kind}`)).body.pagination.total;

describe.each(KINDS)('the quota of %s', (kind) => {
  it('refuses one item beyond the limit, and only for this organization', async () => {
    for (const answer of await createMany(kind, 3)) expect(code(answer)).toEqual([201]);
    expect(code(await create(kind))).toEqual(FULL);
    expect(await total(kind)).toBe(3);
    const other = await clientOf(api, `org_other_${count}`, { roles: ['admin'] });
    expect(code(await create(kind, other))).toEqual([201]);
  });

  it('is exact: concurrent requests create exactly as many as the limit allows', async () => {
    await create(kind);
    const answers = (await createMany(kind, 6)).map(code);
    expect(answers.filter(([status]) => status === 201)).toHaveLength(2);
    expect(answers.filter(([status]) => status !== 201)).toEqual([FULL, FULL, FULL, FULL]);
    expect(await total(kind)).toBe(3);
  });

  it('allows another item when one is deleted, which can be restored in any case', async () => {
    const [first] = await createMany(kind, 3);
    const path = `/${kind}/${first?.body.id}`;
    expect(code(await acme('delete', path))).toEqual([204]);
    expect(code(await create(kind))).toEqual([201]);
    expect(code(await create(kind))).toEqual(FULL);
    expect(code(await acme('post', `${path}/restore`))).toEqual([200]);
    expect(await total(kind)).toBe(4);
    const refused = await create(kind);
    expect([...code(refused), countsIn(refused)]).toEqual([...FULL, { present: 4, deleted: 0, limit: 3 }]);
  });

  it('counts existing and deleted items together at twice the quota, until they are purged', async () => {
    const ids = [];
    for (let tried = 0; tried < 8; tried++) {
      const { body } = await create(kind);
      if (!body.id) continue;
      ids.push(body.id);
      await acme('delete', `/${kind}/${body.id}`);
    }
    expect(ids).toHaveLength(6);
    const refused = await create(kind);
    expect([...code(refused), countsIn(refused)]).toEqual([...FULL, { present: 0, deleted: 6, limit: 3 }]);
    const kept = await api.database.asOwner(async (owner) => {
      const { rows } = await owner.query(
        `SELECT count(*)::int AS rows FROM ${kind} WHERE organization_id = $1`,
        [`org_${count}`],
      );
      return rows[0].rows;
    });
    expect(kept).toBe(6);
    expect(code(await acme('post', `/${kind}/${ids[0]}/purge`))).toEqual([204]);
    expect(code(await create(kind))).toEqual([201]);
    expect(code(await create(kind))).toEqual(FULL);
  });

  it('allows restoring an item that is not deleted', async () => {
    const [first] = await createMany(kind, 3);
    expect(code(await acme('post', `/${kind}/${first?.body.id}/restore`))).toEqual([200]);
  });
});
