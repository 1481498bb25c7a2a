import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { clientNetworks, countDecisions, createFailureLimiter, createRateLimiter } from './index.ts';

const clock = () => new Date();

beforeEach(() => {
  jest.useFakeTimers({ now: 1_790_000_000_000 });
});
afterEach(() => {
  jest.useRealTimers();
});

it.each([
  ['203.0.113.7', '203.0.113.7', '203.0.113.7'],
  ['::ffff:203.0.113.7', '203.0.113.7', '203.0.113.7'],
  ['2001:db8:1:2345:6789::1', '2001:db8:1:2300::/56', '2001:db8:1::/48'],
  ['2001:db8:1:23ff::2', '2001:db8:1:2300::/56', '2001:db8:1::/48'],
  ['fe80::1%eth0', 'fe80::/56', 'fe80::/48'],
  ['not an address', 'unknown', 'unknown'],
  [undefined, 'unknown', 'unknown'],
])('assigns %s to the network %s of the site %s', (address, network, site) => {
  expect(clientNetworks(address)).toEqual({ network, site });
});

it('blocks a client for the rest of the minute after 120 failures', async () => {
  const failures = createFailureLimiter({ limiter: createRateLimiter({ clock }), clock, triesPerSecond: 0 });
  for (let i = 0; i < 119; i++) await failures.recordFailure('203.0.113.7');
  expect(await failures.blockedSeconds('203.0.113.7')).toBe(0);
  jest.advanceTimersByTime(10_000);
  await failures.recordFailure('203.0.113.7');
  expect(await failures.blockedSeconds('203.0.113.7')).toBe(50);
  expect(await failures.blockedSeconds('203.0.113.8')).toBe(0);
  jest.advanceTimersByTime(50_000);
  expect(await failures.blockedSeconds('203.0.113.7')).toBe(0);
});

it('reports each failure and each refused request as a decision', async () => {
  const decisions = { allowed: 0, refused: 0 };
  const limiter = countDecisions(createRateLimiter({ clock }), (decision) => {
    decisions[decision] += 1;
  });
  const failures = createFailureLimiter({ limiter, clock, failuresPerMinute: 2, triesPerSecond: 0 });
  for (let i = 0; i < 10; i++)
    if ((await failures.blockedSeconds('203.0.113.7')) === 0) await failures.recordFailure('203.0.113.7');
  await failures.blockedSeconds('203.0.113.8');
  expect(decisions).toEqual({ allowed: 2, refused: 8 });
});

it('counts the addresses of one IPv6 network as one client', async () => {
  const failures = createFailureLimiter({
    limiter: createRateLimiter({ clock }),
    clock,
    failuresPerMinute: 2,
    triesPerSecond: 0,
  });
  await failures.recordFailure('2001:db8:1:2301::1');
  await failures.recordFailure('2001:db8:1:2302::2');
  expect(await failures.blockedSeconds('2001:db8:1:23ff::3')).toBe(60);
});

it('blocks a /48 after as many failures as four of its networks may have', async () => {
  const failures = createFailureLimiter({
    limiter: createRateLimiter({ clock }),
    clock,
    failuresPerMinute: 2,
    triesPerSecond: 0,
  });
  for (let i = 0; i < 8; i++) await failures.recordFailure(`2001:db8:1:${i.toString(16)}00::1`);
  expect(await failures.blockedSeconds('2001:db8:1:ff00::1')).toBe(60);
  expect(await failures.blockedSeconds('2001:db8:2::1')).toBe(0);
});

describe('with named clients', () => {
  const NAT = '203.0.113.7';
  const fail = async (
    failures: ReturnType<typeof open>,
    times: number,
    client: string | ((i: number) => string),
  ) => {
    for (let i = 0; i < times; i++)
      await failures.recordFailure(NAT, { client: typeof client === 'string' ? client : client(i) });
  };
  const open = (triesPerSecond = 0) =>
    createFailureLimiter({
      limiter: createRateLimiter({ clock }),
      clock,
      failuresPerMinute: 2,
      triesPerSecond,
    });

  it('failures in the name of one client do not block another behind the same address', async () => {
    const failures = open();
    await fail(failures, 2, 'attacked');
    expect(await failures.blockedSeconds(NAT, { client: 'attacked' })).toBe(60);
    expect(await failures.blockedSeconds(NAT, { client: 'other' })).toBe(0);
    expect(await failures.blockedSeconds('203.0.113.8', { client: 'attacked' })).toBe(0);
  });

  it('failures in ever-changing names block unknown clients, but not one that has succeeded', async () => {
    const failures = open();
    failures.recordSuccess(NAT, { client: 'good' });
    await fail(failures, 10, (i) => `client ${i}`);
    expect(await failures.blockedSeconds(NAT, { client: 'new' })).toBe(60);
    expect(await failures.blockedSeconds(NAT, { client: 'good' })).toBe(0);
  });

  it('failures in the names of clients that have succeeded block only these, at ten times the limit', async () => {
    const failures = open();
    const names = Array.from({ length: 12 }, (_, i) => `good ${i}`);
    for (const client of names) failures.recordSuccess(NAT, { client });
    for (const client of names.slice(0, 9)) await fail(failures, 2, client);
    expect(await failures.blockedSeconds(NAT, { client: 'good 11' })).toBe(0);
    await fail(failures, 2, 'good 9');
    expect(await failures.blockedSeconds(NAT, { client: 'good 11' })).toBe(60);
    expect(await failures.blockedSeconds(NAT, { client: 'new' })).toBe(0);
    expect(await failures.blockedSeconds('203.0.113.8', { client: 'good 11' })).toBe(0);
  });

  it('a secret that has succeeded passes a block, and so does a request that isKnown accepts', async () => {
    const failures = open();
    failures.recordSuccess(NAT, { client: 'attacked', secret: 'right' });
    await fail(failures, 10, 'attacked');
    const secondsOf = (attempt: object) => failures.blockedSeconds(NAT, { client: 'attacked', ...attempt });
    expect(await secondsOf({ secret: 'right' })).toBe(0);
    expect(await secondsOf({ secret: 'wrong' })).toBe(60);
    expect(await secondsOf({ secret: '' })).toBe(60);
    expect(await secondsOf({ isKnown: async () => true })).toBe(0);
    expect(await secondsOf({ isKnown: () => false })).toBe(60);
  });

  it('a secret that has succeeded is blocked once too many attempts with it fail', async () => {
    const failures = open();
    const good = { client: 'a', secret: 'right' };
    failures.recordSuccess(NAT, good);
    for (let i = 0; i < 2; i++) await failures.recordFailure(NAT, good);
    expect(await failures.blockedSeconds(NAT, good)).toBe(60);
    expect(await failures.blockedSeconds(NAT, { client: 'a', secret: 'another' })).toBe(0);
  });

  it('wrong secrets do not block the same client when it authenticates by another method', async () => {
    const failures = open();
    const bad = { client: 'workload', method: 'client_secret_post', secret: 'bad' };
    for (let i = 0; i < 2; i++) await failures.recordFailure(NAT, bad);
    expect(await failures.blockedSeconds(NAT, bad)).toBe(60);
    expect(await failures.blockedSeconds(NAT, { client: 'workload', method: 'private_key_jwt' })).toBe(0);
  });

  it('many successes in one network do not displace those of another', async () => {
    const failures = open();
    const good = { client: 'hub', secret: 'right' };
    failures.recordSuccess(NAT, good);
    for (let i = 0; i < 20_000; i++) failures.recordSuccess('198.51.100.1', { client: `client ${i}` });
    await fail(failures, 10, 'hub');
    expect(await failures.blockedSeconds(NAT, good)).toBe(0);
  });

  it('five unknown requests a second pass a block by default', async () => {
    const failures = createFailureLimiter({
      limiter: createRateLimiter({ clock }),
      clock,
      failuresPerMinute: 2,
    });
    await fail(failures, 2, 'attacked');
    const passed = [];
    for (let i = 0; i < 7; i++)
      passed.push((await failures.blockedSeconds(NAT, { client: 'attacked' })) === 0);
    expect(passed).toEqual([true, true, true, true, true, false, false]);
  });

  it('each client has its own tries while its network is blocked', async () => {
    const failures = open(1);
    await fail(failures, 10, (i) => `client ${i}`);
    const secondsOf = (client: string) => failures.blockedSeconds(NAT, { client });
    expect([await secondsOf('a'), await secondsOf('a'), await secondsOf('b')]).toEqual([0, 60, 0]);
  });
});
