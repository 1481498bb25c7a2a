import { afterEach, beforeEach, expect, it, jest } from '@jest/globals';
import { clientNetwork, countDecisions, createFailureLimiter, createRateLimiter } from './index.ts';

const clock = () => new Date();

beforeEach(() => {
  jest.useFakeTimers({ now: 1_790_000_000_000 });
});
afterEach(() => {
  jest.useRealTimers();
});

it.each([
  ['203.0.113.7', '203.0.113.7'],
  ['::ffff:203.0.113.7', '203.0.113.7'],
  ['2001:db8:1:2345:6789::1', '2001:db8:1:2300::/56'],
  ['2001:db8:1:23ff::2', '2001:db8:1:2300::/56'],
  ['fe80::1%eth0', 'fe80::/56'],
  ['not an address', 'unknown'],
  [undefined, 'unknown'],
])('takes %s for the client network %s', (address, network) => {
  expect(clientNetwork(address)).toBe(network);
});

it('blocks a client for the rest of the minute after 120 failures', async () => {
  const failures = createFailureLimiter({ limiter: createRateLimiter({ clock }), clock });
  for (let i = 0; i < 119; i++) await failures.recordFailure('203.0.113.7');
  expect(failures.blockedSeconds('203.0.113.7')).toBe(0);
  jest.advanceTimersByTime(10_000);
  await failures.recordFailure('203.0.113.7');
  expect(failures.blockedSeconds('203.0.113.7')).toBe(50);
  expect(failures.blockedSeconds('203.0.113.8')).toBe(0);
  jest.advanceTimersByTime(50_000);
  expect(failures.blockedSeconds('203.0.113.7')).toBe(0);
});

it('counts each failure, and each refused request, so that a flood is reported as such', async () => {
  const decisions = { allowed: 0, refused: 0 };
  const limiter = countDecisions(createRateLimiter({ clock }), (decision) => {
    decisions[decision] += 1;
  });
  const failures = createFailureLimiter({ limiter, clock, failuresPerMinute: 2 });
  for (let i = 0; i < 10; i++)
    if (failures.blockedSeconds('203.0.113.7') === 0) await failures.recordFailure('203.0.113.7');
  failures.blockedSeconds('203.0.113.8');
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
  expect(failures.blockedSeconds('2001:db8:1:23ff::3')).toBe(60);
});
