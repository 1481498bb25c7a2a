import { describe, expect, it } from '@jest/globals';
import { memoryOneTimeStore } from './one-time-store.ts';
import { redisOneTimeStore } from './redis-one-time-store.ts';

describe('memoryOneTimeStore', () => {
  function scene() {
    let now = 1_790_000_000;
    const store = memoryOneTimeStore({ clock: () => new Date(now * 1000) });
    return {
      use: (key: string, ttlSeconds = 60) => store.useOnce(key, ttlSeconds),
      pass: (seconds: number) => {
        now += seconds;
      },
    };
  }

  it('accepts a key once within its time to live', async () => {
    const { use, pass } = scene();
    expect([await use('a'), await use('a'), await use('b')]).toEqual([true, false, true]);
    pass(59);
    expect(await use('a')).toBe(false);
    pass(1);
    expect(await use('a')).toBe(true);
  });

  it('accepts exactly one of many concurrent uses', async () => {
    const { use } = scene();
    const outcomes = await Promise.all(Array.from({ length: 100 }, () => use('a')));
    expect(outcomes.filter(Boolean)).toHaveLength(1);
  });

  it('keeps unexpired entries when it removes expired ones', async () => {
    const { use, pass } = scene();
    await use('short', 30);
    await use('long', 300);
    pass(90);
    await use('another');
    expect([await use('short'), await use('long')]).toEqual([true, false]);
  });

  it.each([0, -5, 0.2])('remembers a key for at least one second (%d)', async (ttlSeconds) => {
    const { use, pass } = scene();
    expect([await use('a', ttlSeconds), await use('a', ttlSeconds)]).toEqual([true, false]);
    pass(1);
    expect(await use('a', ttlSeconds)).toBe(true);
  });

  it('declares that it is not shared, unless there is a single process', () => {
    expect(memoryOneTimeStore().isPerProcess).toBe(true);
    expect(memoryOneTimeStore({ singleProcess: true }).isPerProcess).toBe(false);
  });
});

describe('redisOneTimeStore', () => {
  const sent: unknown[][] = [];
  const set = async (...args: unknown[]) => {
    sent.push(args);
    return sent.length % 2 === 1 ? 'OK' : null;
  };

  it.each([
    ['ioredis', { set }, ['EX', 8, 'NX']],
    ['node-redis', { set, SET: set }, [{ EX: 8, NX: true }]],
  ] as const)('sends one command of %s', async (_case, redis, options) => {
    sent.length = 0;
    const store = redisOneTimeStore(redis as never, { prefix: 'tools:' });
    expect([await store.useOnce('key', 7.5), await store.useOnce('key', 7.5)]).toEqual([true, false]);
    expect(sent[0]).toEqual(['tools:key', '1', ...options]);
    expect(store.isPerProcess).toBeUndefined();
  });

  it('rejects if Redis fails', async () => {
    const away = { set: () => Promise.reject(new Error('Connection is closed.')) };
    await expect(redisOneTimeStore(away).useOnce('key', 1)).rejects.toThrow('closed');
  });
});
