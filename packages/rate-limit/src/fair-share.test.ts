import { beforeEach, describe, expect, it } from '@jest/globals';
import { createFairShare, createRateLimiter, type RateLimiter, rateLimitHeaders } from './index.ts';

const LIMIT = 10;

let seconds: number;
let limiter: RateLimiter;
let consumed: string[];
const clock = () => new Date(seconds * 1000);
/** Simulates another process with the same counts */
const startProcess = (sharePercent = 50) => createFairShare({ limiter, clock, sharePercent });
let share: ReturnType<typeof startProcess>;

beforeEach(() => {
  seconds = 1_790_000_000;
  const counts = createRateLimiter({ clock });
  consumed = [];
  limiter = {
    ...counts,
    consume(key, limit) {
      consumed.push(key);
      return counts.consume(key, limit);
    },
  };
  share = startProcess();
});

const request = (principal: string) => ({ group: 'org_a', key: 'org:org_a', principal, limit: LIMIT });
async function ask(principal: string, times = 1, at = share) {
  const answers = [];
  for (let i = 0; i < times; i += 1) answers.push(await at.consume(request(principal)));
  return answers;
}
const allowed = (answers: readonly { exceeded: boolean }[]) =>
  answers.filter(({ exceeded }) => !exceeded).length;

it('gives a principal who calls alone the whole window', async () => {
  const answers = await ask('alice', 11);
  expect(allowed(answers)).toBe(10);
  expect(answers.at(-1)).toMatchObject({ remaining: 0, scope: 'organization' });
  expect(new Set(consumed)).toEqual(new Set(['org:org_a']));
});

it('allows each of two principals half of a window, and reports the limit of the principal', async () => {
  await ask('bob');
  const answers = await ask('alice', 6);
  expect(answers.map(({ remaining, scope }) => [remaining, scope])).toEqual([
    [4, 'user'],
    [3, 'user'],
    [2, 'user'],
    [1, 'user'],
    [0, 'user'],
    [0, 'user'],
  ]);
  expect(answers.map(({ exceeded }) => exceeded)).toEqual([false, false, false, false, false, true]);
  expect(answers.at(-1)).toMatchObject({ limit: LIMIT, resetAt: seconds + 60, resetAfterSeconds: 60 });
});

it('leaves the other principals their part, however many requests one sends', async () => {
  await ask('bob');
  await ask('alice', 500);
  const answers = await ask('bob', 4);
  expect(allowed(answers)).toBe(4);
  expect(answers[0]).toMatchObject({ remaining: 3, scope: 'organization' });
});

it('leaves the other principals their part when all requests of a flood are concurrent', async () => {
  await ask('bob');
  seconds += 60;
  consumed = [];
  const flood = Promise.all(Array.from({ length: 500 }, () => share.consume(request('alice'))));
  expect(allowed(await flood)).toBe(5);
  // The common count never exceeds the share, not even temporarily
  expect(consumed.filter((key) => key === 'org:org_a')).toHaveLength(5);
  expect(allowed(await ask('bob', 5))).toBe(5);
});

it('counts a share across all processes, and takes back requests beyond it', async () => {
  const other = startProcess();
  await ask('bob', 1, share);
  await ask('bob', 1, other);
  const floods = [share, other].map((process) =>
    Promise.all(Array.from({ length: 50 }, () => process.consume(request('alice')))),
  );
  expect(allowed((await Promise.all(floods)).flat())).toBeLessThanOrEqual(5);
  expect(allowed(await ask('bob', 3, other))).toBe(3);
});

it('does not access the store for a principal whose share is used up', async () => {
  await ask('bob');
  await ask('alice', 5);
  consumed = [];
  await ask('alice', 100);
  expect(consumed).toEqual([]);
});

it('does not give a principal two shares of one window if it begins to call in the middle of it', async () => {
  await ask('bob');
  seconds += 30;
  expect(allowed(await ask('alice', 6))).toBe(5);
  seconds += 29;
  expect(allowed(await ask('alice', 6))).toBe(0);
  seconds += 1;
  expect(allowed(await ask('alice', 6))).toBe(5);
});

it('gives a principal the whole window again two minutes after the last request of another', async () => {
  await ask('bob');
  seconds += 119;
  expect(allowed(await ask('alice', 10))).toBe(5);
  seconds += 60;
  expect(allowed(await ask('alice', 10))).toBe(10);
});

it('lets each principal use the whole window with 100 percent', async () => {
  share = startProcess(100);
  await ask('bob');
  expect(allowed(await ask('alice', 10))).toBe(9);
});

it('counts organizations separately', async () => {
  await ask('bob');
  const alone = { group: 'org_b', key: 'org:org_b', principal: 'alice', limit: LIMIT };
  for (let i = 0; i < 9; i += 1) await share.consume(alone);
  expect(await share.consume(alone)).toMatchObject({ exceeded: false, scope: 'organization' });
});

describe('peek', () => {
  it('returns the state of a principal who shares the window', async () => {
    await ask('bob');
    await ask('alice', 3);
    expect(await share.peek(request('alice'))).toMatchObject({ remaining: 2, scope: 'user' });
    expect(await share.peek(request('bob'))).toMatchObject({ remaining: 5, scope: 'user' });
    seconds += 60;
    expect(await share.peek(request('alice'))).toMatchObject({
      remaining: 5,
      scope: 'user',
      exceeded: false,
    });
  });

  it('returns the whole window for a principal who calls alone', async () => {
    await ask('alice', 3);
    expect(await share.peek(request('alice'))).toMatchObject({ remaining: 7, scope: 'organization' });
  });
});

it('adds the policy of the user to the headers', async () => {
  await ask('bob');
  const [answer] = await ask('alice');
  if (!answer) throw new Error('no answer');
  expect(rateLimitHeaders('free', answer)).toEqual({
    'X-RateLimit-Limit': '10',
    'X-RateLimit-Remaining': '4',
    'X-RateLimit-Reset': String(seconds + 60),
    'RateLimit-Policy': '"free";q=10;w=60, "user";q=5;w=60',
    RateLimit: '"user";r=4;t=60',
  });
});
