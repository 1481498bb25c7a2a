import { describe, expect, it } from '@jest/globals';
import { eventually } from './eventually.ts';

/** A clock that only advances by sleeping, so that no test waits. */
function createClock() {
  const sleepers = new Set<{
    readonly at: number;
    readonly signal: AbortSignal;
    readonly wake: () => void;
  }>();
  const sleeps: number[] = [];
  let now = 0;
  return {
    sleeps,
    isAwaited: () => [...sleepers].some(({ signal }) => !signal.aborted),
    /** The shortest sleep ends first, in the next turn of the event loop. */
    sleep(ms: number, signal: AbortSignal): Promise<void> {
      sleeps.push(ms);
      return new Promise((resolve) => {
        sleepers.add({ at: now + ms, signal, wake: resolve });
        setImmediate(() => {
          const [first] = [...sleepers].sort((a, b) => a.at - b.at);
          if (!first) return;
          now = first.at;
          sleepers.delete(first);
          first.wake();
        });
      });
    },
  };
}

/** Returns these values one after the other, then the last one again and again. */
function seeing<Value>(...values: Value[]) {
  let looks = -1;
  return () => {
    looks += 1;
    return values[Math.min(looks, values.length - 1)] as Value;
  };
}

describe('eventually', () => {
  it('returns the first truthy value, without a pause if it is the first value', async () => {
    const { sleep, sleeps } = createClock();
    expect(await eventually('a value', () => 'there', { sleep })).toBe('there');
    expect(sleeps).toEqual([30_000]);
  });

  it('polls again after each pause', async () => {
    const { sleep, sleeps } = createClock();
    const look = seeing<Promise<number> | undefined>(undefined, Promise.resolve(0), Promise.resolve(3));
    expect(await eventually('a number', look, { sleep, pauseMs: 7 })).toBe(3);
    expect(sleeps).toEqual([30_000, 7, 7]);
  });

  it('returns the first value that `until` accepts, which may be falsy', async () => {
    const { sleep } = createClock();
    const look = seeing(2, 1, 0);
    expect(await eventually('zero', look, { sleep, until: (seen) => seen === 0 })).toBe(0);
  });

  it('reports what it waited for and the last value', async () => {
    const { sleep } = createClock();
    const look = seeing({ status: 503 }, { status: 401, body: { code: 'token_expired' } });
    const waiting = eventually('the call to succeed', look, {
      sleep,
      timeoutMs: 1000,
      until: ({ status }) => status === 200,
    });
    await expect(waiting).rejects.toThrow(
      "waited 1 s for the call to succeed; saw last: { status: 401, body: { code: 'token_expired' } }",
    );
  });

  it('has a limit of 30 seconds', async () => {
    const { sleep, sleeps } = createClock();
    const waiting = eventually('the end', () => false, { sleep, pauseMs: 10_001 });
    await expect(waiting).rejects.toThrow('waited 30 s for the end; saw last: false');
    expect(sleeps).toEqual([30_000, 10_001, 10_001, 10_001]);
  });

  it('fails at the time limit if `look` never resolves', async () => {
    const { sleep } = createClock();
    const waiting = eventually('an answer', () => new Promise<boolean>(() => undefined), { sleep });
    await expect(waiting).rejects.toThrow('waited 30 s for an answer; the first look has not returned');
  });

  it('rethrows an error of `look` at once', async () => {
    const { sleep, isAwaited } = createClock();
    const look = () => Promise.reject(new Error('the process has ended'));
    await expect(eventually('an answer', look, { sleep })).rejects.toThrow('the process has ended');
    expect(isAwaited()).toBe(false);
  });
});
