import { afterEach, beforeEach, expect, it, jest } from '@jest/globals';
import { shareConnections } from './connection-shares.ts';
import { ConnectionShareExceeded } from './errors.ts';
import type { TenantDatabase } from './tenant-database.ts';

const STATEMENT = { name: 'any', text: 'SELECT 1' };

/** A database whose statements last until the test ends them. */
let running: { organizationId: string; end: (err?: Error) => void }[];
const slow: TenantDatabase = {
  withTenant: () => Promise.reject(new Error('not used')),
  queryAsTenant: (organizationId) =>
    new Promise((resolve, reject) => {
      running.push({ organizationId, end: (err) => (err ? reject(err) : resolve([])) });
    }),
  ping: () => Promise.resolve(),
};
const organizations = () => running.map(({ organizationId }) => organizationId);

beforeEach(() => {
  running = [];
  jest.useFakeTimers();
});
afterEach(() => {
  jest.useRealTimers();
});

it('leaves connections for other organizations, however many requests one of them has', async () => {
  const shared = shareConnections(slow, { max: 2, maxAlone: 2 });
  const first = Array.from({ length: 5 }, () => shared.queryAsTenant('org_a', STATEMENT));
  first.push(shared.queryAsTenant('org_b', STATEMENT));
  expect(organizations()).toEqual(['org_a', 'org_a', 'org_b']);
  while (running.length > 0) {
    running.shift()?.end();
    await jest.advanceTimersByTimeAsync(0);
    expect(organizations().filter((id) => id === 'org_a').length).toBeLessThanOrEqual(2);
  }
  await expect(Promise.all(first)).resolves.toHaveLength(6);
});

it('gives a single organization more connections, and reduces them as soon as another one uses some', async () => {
  const shared = shareConnections(slow, { max: 2, maxAlone: 4 });
  const all = Array.from({ length: 8 }, () => shared.queryAsTenant('org_a', STATEMENT));
  expect(organizations()).toHaveLength(4);
  all.push(shared.queryAsTenant('org_b', STATEMENT));
  expect(organizations().at(-1)).toBe('org_b');
  const endOfA = async () => {
    const [ended] = running.splice(organizations().indexOf('org_a'), 1);
    ended?.end();
    await jest.advanceTimersByTimeAsync(0);
    return organizations().filter((id) => id === 'org_a').length;
  };
  expect([await endOfA(), await endOfA(), await endOfA()]).toEqual([3, 2, 2]);
  while (running.length > 0) {
    running.shift()?.end();
    await jest.advanceTimersByTimeAsync(0);
  }
  await expect(Promise.all(all)).resolves.toHaveLength(9);
});

it('serves waiting requests in order, even after a failed one', async () => {
  const shared = shareConnections(slow, { max: 1, maxAlone: 1 });
  const failing = shared.queryAsTenant('org_a', STATEMENT);
  const order: string[] = [];
  const second = shared.queryAsTenant('org_a', STATEMENT).then(() => order.push('second'));
  const third = shared.queryAsTenant('org_a', STATEMENT).then(() => order.push('third'));
  running[0]?.end(new Error('lost'));
  await expect(failing).rejects.toThrow('lost');
  running[1]?.end();
  await second;
  running[2]?.end();
  await third;
  expect(order).toEqual(['second', 'third']);
});

it('refuses a request that has waited too long, and keeps its connection free for the next one', async () => {
  const shared = shareConnections(slow, { max: 1, maxAlone: 1, waitMs: 2000 });
  const served = shared.queryAsTenant('org_a', STATEMENT);
  const late = expect(shared.queryAsTenant('org_a', STATEMENT)).rejects.toThrow(ConnectionShareExceeded);
  await jest.advanceTimersByTimeAsync(2000);
  await late;
  running[0]?.end();
  await served;
  const next = shared.queryAsTenant('org_a', STATEMENT);
  expect(running).toHaveLength(2);
  running[1]?.end();
  await expect(next).resolves.toEqual([]);
});

it('refuses at once if 200 are waiting', async () => {
  const shared = shareConnections(slow, { max: 1, maxAlone: 1 });
  const all = Promise.allSettled(Array.from({ length: 201 }, () => shared.queryAsTenant('org_a', STATEMENT)));
  await expect(shared.queryAsTenant('org_a', STATEMENT)).rejects.toThrow(ConnectionShareExceeded);
  await jest.advanceTimersByTimeAsync(2000);
  running[0]?.end();
  expect((await all).filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
});

it('does not limit requests that belong to no organization', () => {
  const shared = shareConnections(slow, { max: 1, maxAlone: 1 });
  for (let i = 0; i < 3; i += 1) void shared.queryAsTenant('', STATEMENT);
  expect(running).toHaveLength(3);
});
