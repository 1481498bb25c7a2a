import { afterAll, beforeAll, beforeEach, expect, it } from '@jest/globals';
import { createRateLimiter } from '@legate/rate-limit';
import request from 'supertest';
import { createTestApi, type TestApi } from '../../testing/test-api.ts';

const FAILURES_PER_MINUTE = 120;

let shared: TestApi;
let api: TestApi;
beforeAll(async () => {
  shared = await createTestApi();
});
afterAll(() => shared.close());
beforeEach(async () => {
  const clock = () => api.now();
  api = await createTestApi({ beside: shared, limiter: createRateLimiter({ clock }) });
});

const from = (address: string, path = '/api/v1/me') =>
  request(api.app).get(path).set('X-Forwarded-For', address);

async function fail(times: number, path?: string): Promise<number[]> {
  const statuses: number[] = [];
  for (let i = 0; i < times; i++) {
    statuses.push((await from('203.0.113.7', path).auth('nonsense', { type: 'bearer' })).status);
  }
  return statuses;
}

it('does not count requests without a token against their address', async () => {
  for (let i = 0; i < FAILURES_PER_MINUTE + 1; i++) await from('203.0.113.7');
  for (const path of ['/api/v1/me', '/internal/v1/organizations/org_acme/connectors']) {
    const answer = await from('203.0.113.7', path);
    expect([answer.status, answer.body.code]).toEqual([401, 'token_missing']);
  }
});

it('does not count expired tokens, malformed headers and refusals of valid tokens against their address', async () => {
  const expired = await api.token('org_acme', { exp: Math.floor(api.now().getTime() / 1000) - 60 });
  const viewer = await api.token('org_acme', { sub: 'user_vera', roles: ['viewer'] });
  const hub = await api.workloadToken('internal:connectors');
  for (let i = 0; i < FAILURES_PER_MINUTE; i++) {
    const answers = await Promise.all([
      from('203.0.113.7').auth(expired, { type: 'bearer' }),
      from('203.0.113.7').set('Authorization', 'Bearer a b'),
      from('203.0.113.7', '/api/v1/audit-events/export').auth(viewer, { type: 'bearer' }),
      from('203.0.113.7', '/internal/v1/audit-events').auth(hub, { type: 'bearer' }),
    ]);
    expect(answers.map(({ status }) => status)).not.toContain(200);
  }
  const fresh = await api.token('org_new');
  // More than the attempts of a blocked address
  for (let i = 0; i < 6; i++) {
    const answer = await from('203.0.113.7').auth('nonsense', { type: 'bearer' });
    expect([answer.status, answer.body.code]).toEqual([401, 'token_invalid']);
  }
  expect((await from('203.0.113.7').auth(fresh, { type: 'bearer' })).status).toBe(200);
});

it('serves tokens that were verified before, and new ones, while their address is blocked', async () => {
  const known = await api.token('org_acme');
  expect((await from('203.0.113.7').auth(known, { type: 'bearer' })).status).toBe(200);
  await fail(FAILURES_PER_MINUTE);

  const fresh = await api.token('org_acme', { sub: 'user_bob' });
  expect((await from('203.0.113.7').auth(fresh, { type: 'bearer' })).status).toBe(200);
  // The attempts of this second are used up, and the clock stands still.
  expect((await fail(10)).filter((status) => status === 429).length).toBeGreaterThanOrEqual(6);
  const last = await from('203.0.113.7').auth(await api.token('org_acme', { sub: 'user_carol' }), {
    type: 'bearer',
  });
  expect([last.status, last.headers['retry-after']]).toEqual([429, expect.stringMatching(/^[1-9]\d*$/)]);
  expect((await from('203.0.113.7').auth(known, { type: 'bearer' })).status).toBe(200);
  expect((await from('203.0.113.8').auth('nonsense', { type: 'bearer' })).status).toBe(401);
});

it('checks at most five unknown tokens a second for a blocked address', async () => {
  await fail(FAILURES_PER_MINUTE);
  expect((await fail(20)).filter((status) => status === 401)).toHaveLength(5);
  api.advanceSeconds(1);
  expect((await fail(20)).filter((status) => status === 401)).toHaveLength(5);
});

it('counts services separately from users, so that neither blocks the other at the same address', async () => {
  const internal = '/internal/v1/organizations/org_nobody/connectors';
  const hub = await api.workloadToken('internal:connectors');
  await fail(FAILURES_PER_MINUTE + 10);
  expect((await from('203.0.113.7', internal).auth('nonsense', { type: 'bearer' })).status).toBe(401);

  await fail(FAILURES_PER_MINUTE + 10, internal);
  expect((await from('203.0.113.7', internal).auth('nonsense', { type: 'bearer' })).status).toBe(429);
  api.advanceSeconds(1);
  expect((await from('203.0.113.7', internal).auth(hub, { type: 'bearer' })).status).toBe(404);
  await fail(10, internal);
  expect((await from('203.0.113.7', internal).auth(hub, { type: 'bearer' })).status).toBe(404);
});
