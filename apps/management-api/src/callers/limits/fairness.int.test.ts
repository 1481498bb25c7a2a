import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { createRateLimiter } from '@legate/rate-limit';
import type { Response } from 'supertest';
import { type Client, clientOf } from '../../testing/client.ts';
import { createTestApi, type TestApi } from '../../testing/test-api.ts';

/** An organization with 20 requests a minute, in which one user makes as many requests as possible. */

let shared: TestApi;
let api: TestApi;
let owner: Client;
let viewer: Client;
let memberId: string;
let count = 0;
beforeAll(async () => {
  shared = await createTestApi();
});
afterAll(() => shared.close());
beforeEach(async () => {
  const clock = () => api.now();
  api = await createTestApi({ beside: shared, limiter: createRateLimiter({ clock }), userSharePercent: 50 });
  const organization = `org_${++count}`;
  await api.database.asOwner((database) =>
    database.query(
      "INSERT INTO organizations (id, name, plan, rate_limit_per_minute) VALUES ($1, 'Acme', 'custom', 20)",
      [organization],
    ),
  );
  owner = await clientOf(api, organization, { sub: 'user_olga', roles: ['owner'] });
  viewer = await clientOf(api, organization, { sub: 'user_vera', roles: ['viewer'] });
  await viewer('get', '/me');
  const { body } = await owner('get', '/members?role=viewer');
  memberId = body.data[0].id;
  api.advanceSeconds(60);
});

async function times(count: number, ask: () => Promise<Response>): Promise<Response[]> {
  const answers = [];
  for (let i = 0; i < count; i += 1) answers.push(await ask());
  return answers;
}
const served = (answers: readonly Response[]) => answers.filter(({ status }) => status !== 429).length;
const limitOf = ({ headers }: Response) => [headers['x-ratelimit-limit'], headers['x-ratelimit-remaining']];

describe('the requests of a plan', () => {
  it('are all available to the only user who calls', async () => {
    api.advanceSeconds(120);
    const answers = await times(21, () => owner('get', '/me'));
    expect(served(answers)).toBe(20);
    expect(limitOf(answers[0] as Response)).toEqual(['20', '19']);
    expect(answers[20]?.body).toMatchObject({ code: 'rate_limit_exceeded', scope: 'organization' });
  });

  it('are shared: one of several users gets half, and the others the rest', async () => {
    const flood = await times(30, () => viewer('get', '/sites'));
    expect(served(flood)).toBe(10);
    expect(flood[29]?.body).toMatchObject({
      ...{ status: 429, code: 'rate_limit_exceeded', scope: 'user', retry_after: 60 },
      detail: expect.stringContaining('your share'),
    });
    expect(flood[29]?.headers['ratelimit-policy']).toBe('"custom";q=20;w=60, "user";q=10;w=60');
    const rest = await times(10, () => owner('get', '/sites'));
    expect([served(rest), limitOf(rest[9] as Response)]).toEqual([10, ['20', '0']]);
  });

  it('are shown to each user as what is left for them, with a separate limit for looking', async () => {
    await times(3, () => viewer('get', '/me'));
    const shown = await times(61, () => viewer('get', '/rate-limit'));
    expect(shown[0]?.body).toMatchObject({ plan: 'custom', limit: 20, remaining: 7 });
    expect(shown[60]?.status).toBe(429);
    expect((await owner('get', '/rate-limit')).body).toMatchObject({ limit: 20, remaining: 10 });
    expect(limitOf(await viewer('get', '/me'))).toEqual(['20', '6']);
  });
});

describe('an organization that has used up its requests', () => {
  const spend = async () => {
    await times(10, () => viewer('get', '/me'));
    await times(10, () => owner('get', '/me'));
    const refused = await owner('get', '/members');
    expect(refused.status).toBe(429);
  };

  it('can still take rights away', async () => {
    await spend();
    const ended = await owner('post', `/members/${memberId}/deactivate`);
    expect([ended.status, ...limitOf(ended)]).toEqual([200, '20', '0']);
    expect(ended.headers['retry-after']).toBeUndefined();
    expect((await owner('post', '/members/deny', { user_id: 'user_mallory' })).status).toBe(201);
    expect((await owner('post', `/members/${memberId}/reinstate`)).status).toBe(429);
  });

  it('has a reserve of a tenth of the plan, and at least ten requests', async () => {
    await spend();
    const answers = await times(12, () => owner('post', `/members/${memberId}/deactivate`));
    // Another user is active, so each gets half of the reserve.
    expect(served(answers)).toBe(5);
    expect(answers[11]?.body).toMatchObject({ code: 'rate_limit_exceeded', scope: 'user' });
    api.advanceSeconds(60);
    expect((await owner('post', `/members/${memberId}/deactivate`)).status).toBe(200);
  });

  it('keeps the reserve from users who may not take rights away', async () => {
    await spend();
    const answers = await times(20, () => viewer('delete', `/members/${memberId}`));
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([403]));
    expect((await owner('delete', `/members/${memberId}`)).status).toBe(204);
  });

  it('has another reserve for users who give up their own rights', async () => {
    await spend();
    const deny = () => viewer('put', '/me/consents/an-application', { decision: 'deny' });
    const answers = await times(12, deny);
    expect([served(answers), answers[0]?.status]).toEqual([10, 200]);
    const approved = await viewer('put', '/me/consents/an-application', { decision: 'approve' });
    expect(approved.status).toBe(429);
    expect((await owner('delete', `/members/${memberId}`)).status).toBe(204);
  });

  it('can disable a connector, but not change it otherwise', async () => {
    const created = await owner('post', '/connectors', {
      ...{ name: 'Billing', resource_url: 'https://mcp.acme.com', client_id: 'hub' },
      secret: 'the-secret-of-the-hub',
    });
    expect(created.status).toBe(201);
    await times(10, () => viewer('get', '/me'));
    await times(9, () => owner('get', '/me'));
    const path = `/connectors/${created.body.id}`;
    const renamed = await owner('patch', path, { name: 'Other' });
    expect([renamed.status, renamed.body.code]).toEqual([429, 'rate_limit_exceeded']);
    const disabled = await owner('patch', path, { enabled: false });
    expect([disabled.status, disabled.body.enabled]).toEqual([200, false]);
    expect((await owner('post', `${path}/revoke-tokens`)).body.code).not.toBe('rate_limit_exceeded');
    expect((await owner('delete', path)).status).toBe(204);
  });
});
