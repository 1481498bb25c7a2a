import { beforeEach, describe, expect, it, jest } from '@jest/globals';
import {
  type BreakerState,
  createGuard,
  type Guard,
  type Refused,
  type Verdict,
} from './connector-guards.ts';

let nowMs: number;
let states: BreakerState[];
let calls = 0;

beforeEach(() => {
  nowMs = Date.parse('2026-08-01T12:00:00Z');
  states = [];
});

const clock = () => new Date(nowMs);

const open = (maxConcurrent = 10): Guard =>
  createGuard({ maxConcurrent, openSeconds: 10 }, clock, {
    state: (state) => states.push(state),
    refused: () => undefined,
  });

/** Runs a request for two users in turn, unless a user is given */
const run = (
  guard: Guard,
  send: () => Promise<Verdict>,
  user = `user_${++calls % 2}`,
): Promise<Verdict | Refused> =>
  guard.run<Verdict | Refused>(
    user,
    send,
    (value) => (typeof value === 'string' ? value : 'well'),
    (refused) => refused,
  );

async function times(count: number, guard: Guard, verdict: Verdict, user?: string) {
  for (let i = 0; i < count; i += 1) await run(guard, async () => verdict, user);
}

/** Starts a request that runs until the test ends it. */
function pending() {
  let end: (verdict: Verdict) => void = () => {};
  const sent = jest.fn(() => new Promise<Verdict>((resolve) => (end = resolve)));
  return { sent, end: (verdict: Verdict) => end(verdict) };
}

describe('the breaker', () => {
  it('opens at the fifth failure, and then refuses at once without sending', async () => {
    const guard = open();
    await times(4, guard, 'failed');
    expect(states).toEqual([]);
    await times(1, guard, 'failed');
    expect(states).toEqual(['open']);
    const send = jest.fn(async (): Promise<Verdict> => 'well');
    expect(await run(guard, send)).toEqual({ why: 'open', retryAfterSeconds: 10 });
    expect(send).not.toHaveBeenCalled();
  });

  it('stays closed after failures of one user, and opens after those of a second', async () => {
    const guard = open();
    await times(20, guard, 'failed', 'user_slow');
    expect(states).toEqual([]);
    await times(1, guard, 'failed', 'user_other');
    expect(states).toEqual(['open']);
  });

  it('opens even for a single user who cannot connect', async () => {
    const guard = open();
    await times(4, guard, 'unreachable', 'user_alone');
    expect(states).toEqual([]);
    await times(1, guard, 'unreachable', 'user_alone');
    expect(states).toEqual(['open']);
  });

  it('ignores failures before the last twenty calls', async () => {
    const guard = open();
    await times(10, guard, 'failed', 'user_slow');
    await times(20, guard, 'well');
    await times(10, guard, 'failed', 'user_other');
    expect(states).toEqual([]);
  });

  it('does not count failures while it is open', async () => {
    const guard = open();
    const early = pending();
    const running = run(guard, early.sent);
    await times(5, guard, 'failed');
    early.end('failed');
    await running;
    nowMs += 10_000;
    await times(1, guard, 'well');
    await times(4, guard, 'failed');
    expect(states).toEqual(['open', 'half_open', 'closed']);
  });

  it('stays open if the probe throws, which shows nothing about the server', async () => {
    const guard = open();
    await times(5, guard, 'failed');
    nowMs += 10_000;
    await expect(run(guard, () => Promise.reject(new Error('of ours')))).rejects.toThrow('of ours');
    expect(states.at(-1)).toBe('open');
    expect(await run(guard, async () => 'well')).toEqual({ why: 'open', retryAfterSeconds: 10 });
  });

  it('reports how long it stays open', async () => {
    const guard = open();
    await times(5, guard, 'failed');
    nowMs += 7500;
    expect(await run(guard, async () => 'well')).toEqual({ why: 'open', retryAfterSeconds: 3 });
  });

  it('allows one probe, refuses other requests meanwhile, and closes if it succeeds', async () => {
    const guard = open();
    await times(5, guard, 'failed');
    nowMs += 10_000;
    const probe = pending();
    const found = run(guard, probe.sent);
    const other = jest.fn(async (): Promise<Verdict> => 'well');
    expect(await run(guard, other)).toEqual({ why: 'open', retryAfterSeconds: 1 });
    expect([probe.sent.mock.calls.length, other.mock.calls.length]).toEqual([1, 0]);
    probe.end('well');
    expect(await found).toBe('well');
    expect(await run(guard, other)).toBe('well');
    expect(states).toEqual(['open', 'half_open', 'closed']);
  });

  it.each(['failed', 'unknown'] as const)(
    'stays open if the outcome of the probe is: %s',
    async (verdict) => {
      const guard = open();
      await times(5, guard, 'failed');
      nowMs += 10_000;
      expect(await run(guard, async () => verdict)).toBe(verdict);
      expect(await run(guard, async () => 'well')).toEqual({ why: 'open', retryAfterSeconds: 10 });
      expect(states).toEqual(['open', 'half_open', 'open']);
    },
  );

  it('stays closed while half of the calls succeed', async () => {
    const guard = open();
    for (let i = 0; i < 20; i += 1) {
      await times(1, guard, 'well');
      await times(1, guard, 'failed');
    }
    expect(states).toEqual([]);
  });

  it('counts neither unknown outcomes nor exceptions', async () => {
    const guard = open();
    await times(4, guard, 'failed');
    await times(50, guard, 'unknown');
    for (let i = 0; i < 50; i += 1)
      await expect(run(guard, () => Promise.reject(new Error('ours')))).rejects.toThrow('ours');
    expect(states).toEqual([]);
    await times(1, guard, 'failed'); // the fifth failure: unknown outcomes and exceptions in between did not count
    expect(states).toEqual(['open']);
  });
});

describe('the limit of concurrent requests', () => {
  it('refuses a request beyond the limit at once, without sending, and accepts the next when one has ended', async () => {
    const guard = open(2);
    const [first, second] = [pending(), pending()];
    const running = [run(guard, first.sent), run(guard, second.sent)];
    const third = jest.fn(async (): Promise<Verdict> => 'well');
    expect(await run(guard, third)).toEqual({ why: 'busy', retryAfterSeconds: 1 });
    expect(third).not.toHaveBeenCalled();
    first.end('well');
    expect(await running[0]).toBe('well');
    expect(await run(guard, third)).toBe('well');
    second.end('failed');
    expect(await running[1]).toBe('failed');
  });

  it('releases a slot whatever the outcome', async () => {
    const guard = open(1);
    await expect(run(guard, () => Promise.reject(new Error('ours')))).rejects.toThrow('ours');
    await times(3, guard, 'failed');
    expect(await run(guard, async () => 'well')).toBe('well');
  });

  it('does not count a refusal by the limit as a failure of the server', async () => {
    const guard = open(1);
    const first = pending();
    const running = run(guard, first.sent);
    for (let i = 0; i < 50; i += 1) await run(guard, async () => 'failed');
    first.end('well');
    await running;
    expect(states).toEqual([]);
  });
});
