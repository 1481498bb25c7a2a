import { afterEach, beforeEach, expect, it, jest } from '@jest/globals';
import { Redis } from 'ioredis';
import { createRateLimiter, rateLimitHeaders, requestsPerMinute } from './index.ts';

const NOW = 1_790_000_000;
const clock = () => new Date();

beforeEach(() => {
  jest.useFakeTimers({ now: NOW * 1000 });
});
afterEach(() => {
  jest.useRealTimers();
});

/** A client whose commands all fail at once, without a network. */
function unreachableRedis(): Redis {
  const redis = new Redis({ lazyConnect: true });
  redis.disconnect();
  return redis;
}

async function consumeTimes(limiter: ReturnType<typeof createRateLimiter>, times: number, limit: number) {
  let usage = await limiter.consume('org:a', limit);
  for (let i = 1; i < times; i++) usage = await limiter.consume('org:a', limit);
  return usage;
}

it.each([
  ['free', null, 60],
  ['pro', null, 300],
  ['custom', 1234, 1234],
  ['custom', null, 3000],
] as const)('allows plan %s (custom number %j) %i requests per minute', (name, own, expected) => {
  expect(requestsPerMinute({ name, requestsPerMinute: own })).toBe(expected);
});

it.each([60, 300])('allows exactly %i requests in each window', async (limit) => {
  const limiter = createRateLimiter({ clock });
  expect(await consumeTimes(limiter, limit, limit)).toMatchObject({ remaining: 0, exceeded: false });
  expect(await limiter.consume('org:a', limit)).toMatchObject({ remaining: 0, exceeded: true });
  jest.advanceTimersByTime(60_000);
  expect(await limiter.consume('org:a', limit)).toMatchObject({ remaining: limit - 1, exceeded: false });
});

it('starts the window with the first request and keeps its end', async () => {
  const limiter = createRateLimiter({ clock });
  jest.advanceTimersByTime(20_500);
  expect(await limiter.consume('org:a', 60)).toMatchObject({ resetAt: NOW + 81, resetAfterSeconds: 60 });
  jest.advanceTimersByTime(30_000);
  expect(await limiter.consume('org:a', 60)).toMatchObject({ resetAt: NOW + 81, resetAfterSeconds: 30 });
});

it('counts in windows of the configured length', async () => {
  const limiter = createRateLimiter({ clock, windowSeconds: 600 });
  expect(await consumeTimes(limiter, 11, 10)).toMatchObject({ exceeded: true, resetAt: NOW + 600 });
  jest.advanceTimersByTime(599_000);
  expect(await limiter.consume('org:a', 10)).toMatchObject({ exceeded: true, resetAfterSeconds: 1 });
  jest.advanceTimersByTime(1000);
  expect(await limiter.consume('org:a', 10)).toMatchObject({ remaining: 9, exceeded: false });
});

it('counts organizations separately', async () => {
  const limiter = createRateLimiter({ clock });
  await consumeTimes(limiter, 61, 60);
  expect(await limiter.consume('org:b', 60)).toMatchObject({ remaining: 59, exceeded: false });
});

it('lets a change of plan take effect in the running window and keeps the count', async () => {
  const limiter = createRateLimiter({ clock });
  expect(await consumeTimes(limiter, 61, 60)).toMatchObject({ exceeded: true });
  expect(await limiter.consume('org:a', 300)).toMatchObject({ limit: 300, remaining: 238, exceeded: false });
  expect(await limiter.consume('org:a', 60)).toMatchObject({ limit: 60, remaining: 0, exceeded: true });
});

it("enforces the share of this process when Redis is unreachable, and still reports the plan's limit", async () => {
  const failures: unknown[] = [];
  const redis = unreachableRedis();
  const limiter = createRateLimiter({
    redis,
    clock,
    degradedDivisor: 3,
    onDegraded: (err) => failures.push(err),
  });
  expect(await consumeTimes(limiter, 20, 60)).toMatchObject({ limit: 60, remaining: 0, exceeded: false });
  expect(await limiter.consume('org:a', 60)).toMatchObject({ limit: 60, exceeded: true });
  expect(failures).toHaveLength(1);
});

it('uses Redis again five seconds after a failure, not before', async () => {
  const failures: unknown[] = [];
  const redis = unreachableRedis();
  const limiter = createRateLimiter({ redis, clock, onDegraded: (err) => failures.push(err) });
  await limiter.consume('org:a', 60);
  jest.advanceTimersByTime(4999);
  await limiter.consume('org:a', 60);
  expect(failures).toHaveLength(1);
  jest.advanceTimersByTime(1);
  await limiter.consume('org:a', 60);
  expect(failures).toHaveLength(2);
});

it('allows at least one request however many processes share the limit', async () => {
  const redis = unreachableRedis();
  const limiter = createRateLimiter({ redis, clock, degradedDivisor: 100 });
  expect(await limiter.consume('org:a', 60)).toMatchObject({ limit: 60, remaining: 0, exceeded: false });
});

it('sends integers in the headers, with the reset as epoch seconds and as seconds from now', () => {
  const usage = { limit: 60, remaining: 59, resetAt: NOW + 37, resetAfterSeconds: 37, exceeded: false };
  expect(rateLimitHeaders('free', usage)).toEqual({
    'X-RateLimit-Limit': '60',
    'X-RateLimit-Remaining': '59',
    'X-RateLimit-Reset': String(NOW + 37),
    'RateLimit-Policy': '"free";q=60;w=60',
    RateLimit: '"free";r=59;t=37',
  });
  expect(rateLimitHeaders('free', { ...usage, remaining: 0, exceeded: true })).toMatchObject({
    'X-RateLimit-Remaining': '0',
    'Retry-After': '37',
  });
});

it('reports an expired window as a new one', async () => {
  const limiter = createRateLimiter({ clock });
  await consumeTimes(limiter, 5, 60);
  expect(await limiter.peek('org:a', 60)).toMatchObject({ remaining: 55 });
  jest.advanceTimersByTime(60_000);
  expect(await limiter.peek('org:a', 60)).toEqual({
    limit: 60,
    remaining: 60,
    resetAt: NOW + 120,
    resetAfterSeconds: 60,
    exceeded: false,
  });
});

it("reports the plan's limit and the remaining share of this process while Redis is unreachable", async () => {
  const limiter = createRateLimiter({ redis: unreachableRedis(), clock, degradedDivisor: 3 });
  expect(await limiter.peek('org:a', 60)).toMatchObject({ limit: 60, remaining: 20 });
});
