import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { createRateLimiter } from '@legate/rate-limit';
import { auditTrailOf, type Client, clientOf } from '../../testing/client.ts';
import { createTestApi, type TestApi } from '../../testing/test-api.ts';
import { OrganizationBody } from './organization.ts';

let api: TestApi;
let id: string;
let owner: Client;
let count = 0;
beforeAll(async () => {
  api = await createTestApi();
});
afterAll(() => api.close());
beforeEach(async () => {
  id = `org_${++count}`;
  owner = await clientOf(api, id, { sub: 'user_owner', roles: ['owner'] });
});

const asRole = (role: string) => clientOf(api, id, { sub: `user_${role}`, roles: [role] });
const code = (answer: { status: number; body: { code?: string } }) => [answer.status, answer.body.code];

describe('GET /organization', () => {
  it('returns exactly the documented fields, and 304 for a current If-None-Match', async () => {
    const answer = await owner('get', '/organization');
    expect(OrganizationBody.parse(answer.body)).toMatchObject({
      id,
      name: id,
      plan: 'free',
      requests_per_minute: 60,
      status: 'active',
      agent_policy: 'any',
      suspended_at: null,
      suspended_by: null,
      deleted_at: null,
      purge_at: null,
    });
    const again = await owner('get', '/organization', undefined, {
      'If-None-Match': answer.headers.etag as string,
    });
    expect(again.status).toBe(304);
  });

  it.each([
    ['pro', null, 300],
    ['custom', 1234, 1234],
    ['custom', null, 3000],
  ])('with the plan %s and its own limit %j returns %i requests per minute', async (plan, own, expected) => {
    await owner('get', '/organization');
    await api.database.asOwner((client) =>
      client.query('UPDATE organizations SET plan = $2, rate_limit_per_minute = $3 WHERE id = $1', [
        id,
        plan,
        own,
      ]),
    );
    expect((await owner('get', '/organization')).body).toMatchObject({ plan, requests_per_minute: expected });
  });
});

describe('PATCH /organization', () => {
  it('sets the agent policy, and records it in the audit trail', async () => {
    const changed = await owner('patch', '/organization', { agent_policy: 'named' });
    expect([changed.status, changed.body.agent_policy]).toEqual([200, 'named']);
    expect((await owner('patch', '/organization', { name: 'New' })).body.agent_policy).toBe('named');
    const refused = await owner('patch', '/organization', { agent_policy: 'some' });
    expect([refused.status, refused.body.errors[0].pointer]).toEqual([400, '/agent_policy']);
    const [event] = (await auditTrailOf(api, id)).filter(({ action }) => action === 'organization.updated');
    expect(event?.changes).toEqual({ agent_policy: { from: 'any', to: 'named' } });
  });

  it('renames the organization at once, in /me too, and records it in the audit trail', async () => {
    const { body: before } = await owner('get', '/organization');
    const renamed = await owner('patch', '/organization', { name: ' Acme ' }, { 'If-Match': '"1"' });
    expect([renamed.status, renamed.headers.etag]).toEqual([200, '"2"']);
    expect(renamed.body).toEqual({ ...before, name: 'Acme', updated_at: expect.any(String) });
    expect((await owner('get', '/me')).body.organization).toEqual({ id, name: 'Acme' });
    expect(code(await owner('patch', '/organization', { name: 'x' }, { 'If-Match': '"1"' }))).toEqual([
      412,
      'version_mismatch',
    ]);
    expect((await auditTrailOf(api, id)).slice(1)).toMatchObject([
      { action: 'organization.updated', changes: { name: { from: id, to: 'Acme' } } },
    ]);
  });

  it.each([
    ['plan', 'pro', 'field_read_only'],
    ['requests_per_minute', 1_000_000, 'field_read_only'],
    ['status', 'suspended', 'field_read_only'],
    ['name', '', 'too_short'],
    ['owner', 'me', 'unknown_field'],
  ])('refuses %s = %j', async (field, value, fault) => {
    const answer = await owner('patch', '/organization', { [field]: value });
    expect([answer.status, answer.body.errors]).toEqual([
      400,
      [expect.objectContaining({ pointer: `/${field}`, code: fault })],
    ]);
  });

  it('refuses, like DELETE, callers who are not owners', async () => {
    for (const role of ['admin', 'developer', 'viewer']) {
      const client = await asRole(role);
      const answers = [
        await client('patch', '/organization', { name: 'x' }),
        await client('delete', `/organization?confirm=${id}`),
      ];
      for (const answer of answers) {
        expect([answer.status, answer.body.required_scope]).toEqual([403, 'org:write']);
      }
    }
  });
});

describe('GET /me', () => {
  it('returns the user, the organization, the role and the permissions', async () => {
    const claims = {
      sub: 'user_v',
      email: 'v@acme.example',
      name: 'V',
      roles: ['viewer'],
      scope: 'sites:read sites:write',
    };
    const answer = await (await clientOf(api, id, claims))('get', '/me');
    expect(answer.body).toEqual({
      user: { type: 'user', id: 'user_v', email: 'v@acme.example', name: 'V' },
      organization: { id, name: id },
      role: 'viewer',
      scopes: ['sites:read'],
    });
  });

  it('serves a user without an organization too, and counts them with the free plan', async () => {
    const answer = await (await clientOf(api, undefined, { sub: 'user_dave' }))('get', '/me');
    expect(answer.body).toEqual({
      user: { type: 'user', id: 'user_dave', email: null, name: null },
      organization: null,
      role: null,
      scopes: [],
    });
    expect(answer.headers['x-ratelimit-limit']).toBe('60');
  });
});

describe('GET /rate-limit', () => {
  it("returns the state of the organization's limit without counting", async () => {
    const first = await owner('get', '/rate-limit');
    expect(first.body).toEqual({ plan: 'free', limit: 60, remaining: 60, reset: expect.any(Number) });
    await owner('get', '/sites');
    await owner('get', '/sites');
    await owner('get', '/rate-limit');
    const { body, headers } = await owner('get', '/rate-limit');
    expect(body).toMatchObject({ limit: 60, remaining: 58 });
    expect([
      headers['x-ratelimit-limit'],
      headers['x-ratelimit-remaining'],
      headers['x-ratelimit-reset'],
    ]).toEqual(['60', '58', String(body.reset)]);
  });

  it('serves a user without an organization', async () => {
    const dave = await clientOf(api, undefined, { sub: 'user_dave2' });
    await dave('get', '/me');
    expect((await dave('get', '/rate-limit')).body).toMatchObject({ plan: 'free', remaining: 59 });
  });

  it('is refused from the 61st time in a minute, and does not count against the limit', async () => {
    const limited = await createTestApi({ beside: api, limiter: createRateLimiter({ clock: api.now }) });
    const looker = await clientOf(limited, 'org_looker');
    const answers = [];
    for (let i = 0; i < 61; i++) answers.push(await looker('get', '/rate-limit'));
    expect(answers.map(({ status }) => status)).toEqual([...Array(60).fill(200), 429]);
    expect(answers[59]?.body.remaining).toBe(60);
    expect(Number(answers[60]?.headers['retry-after'])).toBeGreaterThan(0);
  });

  it('still works once the limit is used up', async () => {
    for (let i = 0; i < 61; i++) await owner('get', '/me');
    const answer = await owner('get', '/rate-limit');
    expect([answer.status, answer.body.remaining, answer.headers['retry-after']]).toEqual([
      200,
      0,
      undefined,
    ]);
  });
});

it.each([
  ['/me', 'GET, HEAD'],
  ['/rate-limit', 'GET, HEAD'],
  ['/organization', 'GET, HEAD, PATCH, DELETE'],
])('returns 405 for POST %s', async (path, allow) => {
  const answer = await owner('post', path, {});
  expect([answer.status, answer.headers.allow]).toEqual([405, allow]);
});
