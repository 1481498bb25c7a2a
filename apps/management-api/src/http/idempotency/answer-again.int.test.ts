import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { auditTrailOf, type Client, clientOf } from '../../testing/client.ts';
import { createTestApi, type TestApi } from '../../testing/test-api.ts';

let api: TestApi;
let organization: string;
let admin: Client;
let member: string;
let count = 0;
beforeAll(async () => {
  api = await createTestApi();
});
afterAll(() => api.close());
beforeEach(async () => {
  organization = `org_${++count}`;
  admin = await clientOf(api, organization, { roles: ['admin'], sub: 'user_admin' });
  const bob = await clientOf(api, organization, { sub: 'user_bob' });
  await bob('get', '/sites');
  const { data } = (await admin('get', '/members')).body;
  member = data.find(({ user_id }: { user_id: string }) => user_id === 'user_bob').id;
});

const key = { 'Idempotency-Key': 'k' };
const code = ({ status, body }: { status: number; body: { code?: string } }) => [status, body.code];
const actions = async () => (await auditTrailOf(api, member)).map(({ action }) => action);

describe('a repeatable operation with an Idempotency-Key', () => {
  const deactivate = (body: object = { reason: 'Laptop stolen' }) =>
    admin('post', `/members/${member}/deactivate`, body, key);

  it('gets exactly the same response again, and is not executed again', async () => {
    const first = await deactivate();
    await admin('post', `/members/${member}/reinstate`);
    const again = await deactivate();
    expect([again.status, again.text, again.headers.etag]).toEqual([200, first.text, first.headers.etag]);
    expect([first.headers['idempotent-replayed'], again.headers['idempotent-replayed']]).toEqual([
      undefined,
      'true',
    ]);
    expect(await actions()).toEqual(['member.joined', 'member.deactivated', 'member.reinstated']);
  });

  it('refuses the key for another body', async () => {
    await deactivate();
    expect(code(await deactivate({ reason: 'Left' }))).toEqual([422, 'idempotency_key_reused']);
    expect(code(await admin('post', '/sites', { name: 'A' }, key))).toEqual([422, 'idempotency_key_reused']);
  });

  it('repeats a refusal too', async () => {
    const { data } = (await admin('get', '/members')).body;
    const own = data.find(({ user_id }: { user_id: string }) => user_id === 'user_admin').id;
    const refuse = () => admin('post', `/members/${own}/deactivate`, {}, key);
    const [first, again] = [await refuse(), await refuse()];
    expect(code(first)).toEqual([409, 'own_membership']);
    expect([again.status, again.body.code, again.headers['idempotent-replayed']]).toEqual([
      409,
      'own_membership',
      'true',
    ]);
  });

  it('is executed again if the response was not stored', async () => {
    await deactivate();
    await api.database.asOwner((owner) =>
      owner.query('UPDATE idempotency_keys SET answer = NULL WHERE organization_id = $1', [organization]),
    );
    await admin('post', `/members/${member}/reinstate`);
    const again = await deactivate();
    expect([again.status, again.body.status, again.headers['idempotent-replayed']]).toEqual([
      200,
      'deactivated',
      undefined,
    ]);
  });

  it('is executed once for concurrent requests, of which the others get 409', async () => {
    const answers = await Promise.all(Array.from({ length: 8 }, () => deactivate()));
    const others = answers.filter(({ status }) => status !== 200);
    expect(others.map(code)).toEqual(others.map(() => [409, 'idempotency_in_progress']));
    expect((await deactivate()).status).toBe(200);
    expect((await actions()).filter((action) => action === 'member.deactivated')).toHaveLength(1);
  });
});

it('restores once for each key, like operations in one transaction', async () => {
  const site = (await admin('post', '/sites', { name: 'A' })).body.id;
  await admin('delete', `/sites/${site}`);
  const restore = () => admin('post', `/sites/${site}/restore`, undefined, key);
  const first = await restore();
  await admin('delete', `/sites/${site}`);
  expect((await restore()).text).toBe(first.text);
  expect((await admin('get', `/sites/${site}`)).status).toBe(404);
});

it.each([['has no effect', 'post', '/sites/site_a/origins/check', { origin: 'https://a.example' }]] as const)(
  'refuses a key where the request %s',
  async (_case, method, path, body) => {
    expect(code(await admin(method, path, body, key))).toEqual([400, 'idempotency_not_supported']);
  },
);
