import { afterEach, beforeEach, expect, it, jest } from '@jest/globals';
import { createWaitingRoom, type Turn } from './index.ts';

let others: Set<string>;
let room: ReturnType<typeof createWaitingRoom>;
beforeEach(() => {
  jest.useFakeTimers();
  others = new Set();
  room = createWaitingRoom({
    ...{ max: 4, places: 6, waitMs: 2000, sharePercent: 50 },
    hasOthers: (group) => others.has(group),
    clock: () => new Date(),
  });
});
afterEach(() => {
  jest.useRealTimers();
});

const of = (principal: string, group = 'org_a') => ({ group, principal });
/** Starts runs of a group. @returns functions that end these runs */
const fill = (principal = 'alice', count = 4) =>
  Array.from({ length: count }, () => room.enter(of(principal)) ?? (() => {}));
const ended = async ({ begun }: Turn) => {
  const end = await begun;
  return end !== undefined;
};
const wait = (principal: string): Turn => {
  const turn = room.wait(of(principal));
  if (!turn) throw new Error('no place left');
  return turn;
};

it('limits the concurrent runs of each group separately', () => {
  fill();
  expect(room.enter(of('alice'))).toBeUndefined();
  expect(room.enter(of('alice', 'org_b'))).toBeDefined();
});

it('starts one waiting request for each run that ends, in order', async () => {
  const [first, second] = fill();
  const order: string[] = [];
  const turns = ['one', 'two', 'three'].map((name) => {
    const turn = wait('alice');
    void turn.begun.then((end) => order.push(end ? name : `${name} refused`));
    return turn;
  });
  first?.();
  first?.(); // ends one run only
  await turns[0]?.begun;
  second?.();
  await turns[1]?.begun;
  expect(order).toEqual(['one', 'two']);
  jest.advanceTimersByTime(2000);
  await turns[2]?.begun;
  expect(order).toEqual(['one', 'two', 'three refused']);
});

it('reports a group as stuck if no run has succeeded in the second half of the wait', async () => {
  const [fails, ends] = fill();
  const early = Array.from({ length: 3 }, () => wait('alice'));
  fails?.({ failed: true });
  jest.advanceTimersByTime(1500);
  ends?.();
  jest.advanceTimersByTime(500);
  expect(await Promise.all(early.map(ended))).toEqual([true, true, false]);
  expect(early[2]?.isStuck()).toBe(false);
  const late = wait('alice');
  jest.advanceTimersByTime(2000);
  expect([await ended(late), late.isStuck()]).toEqual([false, true]);
});

it('refuses at once if no place is left, and has a place again after a request leaves', async () => {
  fill();
  const turns = Array.from({ length: 6 }, () => wait('alice'));
  expect(room.wait(of('alice'))).toBeUndefined();
  turns[3]?.leave();
  expect(await ended(turns[3] as Turn)).toBe(false);
  expect(room.wait(of('alice'))).toBeDefined();
});

it('gives the turn of a request that has left to the next one', async () => {
  const [first] = fill();
  const [gone, next] = [wait('alice'), wait('alice')];
  gone.leave();
  first?.();
  expect([await ended(gone), await ended(next)]).toEqual([false, true]);
});

it('limits one of several principals to half of the runs and places', async () => {
  others.add('org_a');
  fill('alice', 2);
  expect(room.enter(of('alice'))).toBeUndefined();
  const waiting = Array.from({ length: 3 }, () => wait('alice'));
  expect(room.wait(of('alice'))).toBeUndefined();
  expect(room.enter(of('bob'))).toBeDefined(); // passes the waiting requests, because none of them may begin
  const end = room.enter(of('bob'));
  const bob = wait('bob');
  end?.();
  expect(await ended(bob)).toBe(true);
  jest.advanceTimersByTime(2000);
  expect(await Promise.all(waiting.map(ended))).toEqual([false, false, false]);
});

it('does not exceed the maximum of runs when the other principals have gone', async () => {
  others.add('org_a');
  const [first] = fill('alice', 2);
  const turns = Array.from({ length: 3 }, () => wait('alice'));
  others.clear();
  first?.();
  expect(await Promise.all(turns.map(ended))).toEqual([true, true, true]);
  expect(room.enter(of('alice'))).toBeUndefined();
});
