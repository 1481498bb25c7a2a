import { afterEach, beforeEach, expect, it, jest } from '@jest/globals';
import { RateLimiterMemory } from 'rate-limiter-flexible';
import { createLastCounts } from './last-counts.ts';
import { createLocalWindows } from './local-windows.ts';

beforeEach(() => {
  jest.useFakeTimers({ now: 1_790_000_000_000 });
});
afterEach(() => {
  jest.useRealTimers();
});

const options = { points: Number.MAX_SAFE_INTEGER, duration: 60 };

function world(degradedDivisor = 1) {
  let shared = new RateLimiterMemory(options);
  const counts = createLastCounts({
    shared: {
      consume: (key, points) => shared.consume(key, points),
      penalty: (key, points) => shared.penalty(key, points),
    },
    local: createLocalWindows({ now: Date.now, windowSeconds: 60 }),
    degradedDivisor,
    now: Date.now,
  });
  const times = async (
    count: number,
    consume: () => Promise<{ consumedPoints: number }> | { consumedPoints: number },
  ) => {
    let consumed = 0;
    for (let i = 0; i < count; i++) ({ consumedPoints: consumed } = await consume());
    return consumed;
  };
  return {
    shared: (count: number) => times(count, () => counts.consumeShared('org:a')),
    alone: (count: number) => times(count, () => counts.consumeAlone('org:a')),
    /** Behaves like a restarted server */
    loseData() {
      shared = new RateLimiterMemory(options);
    },
  };
}

it('continues locally from the shared count, and the shared count includes the local one', async () => {
  const limiter = world();
  expect(await limiter.shared(40)).toBe(40);
  expect(await limiter.alone(10)).toBe(50);
  expect(await limiter.shared(1)).toBe(51);
  expect(await limiter.shared(1)).toBe(52);
});

it('restores the count of a shared limiter that has lost its data', async () => {
  const limiter = world();
  await limiter.shared(55);
  jest.advanceTimersByTime(10_000);
  await limiter.alone(5);
  limiter.loseData();
  expect(await limiter.shared(1)).toBe(61);
  expect(await limiter.shared(1)).toBe(62);
});

it('carries over only the part of this process', async () => {
  const limiter = world(3);
  await limiter.shared(60);
  expect(await limiter.alone(1)).toBe(21);
});

it('carries no count into the next window', async () => {
  const limiter = world();
  await limiter.shared(60);
  jest.advanceTimersByTime(60_000);
  expect(await limiter.alone(1)).toBe(1);
  jest.advanceTimersByTime(60_000);
  expect(await limiter.shared(1)).toBe(1);
});
