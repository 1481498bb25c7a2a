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
])('takes %s for the network %s of the site %s', (address, network, site) => {
  expect(clientNetworks(address)).toEqual({ network, site });
});

it('blocks a client for the rest of the minute after 120 failures', async () => {
  const failures = createFailureLimiter({ limiter: createRateLimiter({ clock }), clock });
  for (let i = 0; i < 119; i++) await failures.recordFailure('203.0.113.7');
  expect(await failures.blockedSeconds('203.0.113.7')).toBe(0);
  jest.advanceTimersByTime(10_000);
  await failures.recordFailure('203.0.113.7');
  expect(await failures.blockedSeconds('203.0.113.7')).toBe(50);
  expect(await failures.blockedSeconds('203.0.113.8')).toBe(0);
  jest.advanceTimersByTime(50_000);
  expect(await failures.blockedSeconds('203.0.113.7')).toBe(0);
});

it('counts each failure, and each refused request, so that a flood is reported as such', async () => {
  const decisions = { allowed: 0, refused: 0 };
  const limiter = countDecisions(createRateLimiter({ clock }), (decision) => {
    decisions[decision] += 1;
  });
  const failures = createFailureLimiter({ limiter, clock, failuresPerMinute: 2 });
  for (let i = 0; i < 10; i++)
    if ((await failures.blockedSeconds('203.0.113.7')) === 0) await failures.recordFailure('203.0.113.7');
  await failures.blockedSeconds('203.0.113.8');
  expect(decisions).toEqual({ allowed: 2, refused: 8 });
});

it('takes the addresses of one IPv6 network for one client', async () => {
  const failures = createFailureLimiter({
    limiter: createRateLimiter({ clock }),
    clock,
    failuresPerMinute: 2,
  });
  await failures.recordFailure('2001:db8:1:2301::1');
  await failures.recordFailure('2001:db8:1:2302::2');
  expect(await failures.blockedSeconds('2001:db8:1:23ff::3')).toBe(60);
});

it('blocks a /48 that fails in many of its networks, which are four to it', async () => {
  const failures = createFailureLimiter({
    limiter: createRateLimiter({ clock }),
    clock,
    failuresPerMinute: 2,
  });
  for (let i = 0; i < 8; i++) await failures.recordFailure(`2001:db8:1:${i.toString(16)}00::1`);
  expect(await failures.blockedSeconds('2001:db8:1:ff00::1')).toBe(60);
  expect(await failures.blockedSeconds('2001:db8:2::1')).toBe(0);
});

describe('where clients are named', () => {
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

  it('failures in the name of one do not block another behind the same address', async () => {
    const failures = open();
    await fail(failures, 2, 'attacked');
    expect(await failures.blockedSeconds(NAT, { client: 'attacked' })).toBe(60);
    expect(await failures.blockedSeconds(NAT, { client: 'other' })).toBe(0);
    expect(await failures.blockedSeconds('203.0.113.8', { client: 'attacked' })).toBe(0);
  });

  it('failures in ever other names block those of whom nothing is known', async () => {
    const failures = open();
    failures.recordSuccess(NAT, { client: 'good' });
    await fail(failures, 10, (i) => `client ${i}`);
    expect(await failures.blockedSeconds(NAT, { client: 'new' })).toBe(60);
    expect(await failures.blockedSeconds(NAT, { client: 'good' })).toBe(0);
  });

  it('what was good before passes: a secret, and whatever the entry finds', async () => {
    const failures = open();
    failures.recordSuccess(NAT, { client: 'attacked', secret: 'right' });
    await fail(failures, 2, 'attacked');
    const secondsOf = (attempt: object) => failures.blockedSeconds(NAT, { client: 'attacked', ...attempt });
    expect(await secondsOf({ secret: 'right' })).toBe(0);
    expect(await secondsOf({ secret: 'wrong' })).toBe(60);
    expect(await failures.blockedSeconds(NAT, { client: 'attacked', secret: '' })).toBe(60);
    expect(await secondsOf({ isKnown: async () => true })).toBe(0);
    expect(await secondsOf({ isKnown: () => false })).toBe(60);
  });

  it('each has its own tries while its network is blocked', async () => {
    const failures = open(1);
    await fail(failures, 10, (i) => `client ${i}`);
    const secondsOf = (client: string) => failures.blockedSeconds(NAT, { client });
    expect([await secondsOf('a'), await secondsOf('a'), await secondsOf('b')]).toEqual([0, 60, 0]);
  });
});
