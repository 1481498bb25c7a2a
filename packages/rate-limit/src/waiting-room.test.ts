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
/** Fills the places of a group. @returns what ends the runs */
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

it('lets as many run as may at a time, and no more of another group', () => {
  fill();
  expect(room.enter(of('alice'))).toBeUndefined();
  expect(room.enter(of('alice', 'org_b'))).toBeDefined();
});

it('gives turns in order, one for each run that ends', async () => {
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

it('reports whether others are many, or stuck: no run has ended well in the second half of the wait', async () => {
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

it('refuses at once where no place is left, and again has one after somebody left', async () => {
  fill();
  const turns = Array.from({ length: 6 }, () => wait('alice'));
  expect(room.wait(of('alice'))).toBeUndefined();
  turns[3]?.leave();
  expect(await ended(turns[3] as Turn)).toBe(false);
  expect(room.wait(of('alice'))).toBeDefined();
});

it('gives the turn of one that has left to the next', async () => {
  const [first] = fill();
  const [gone, next] = [wait('alice'), wait('alice')];
  gone.leave();
  first?.();
  expect([await ended(gone), await ended(next)]).toEqual([false, true]);
});

it('lets one of several principals have half of the runs and of the places', async () => {
  others.add('org_a');
  fill('alice', 2);
  expect(room.enter(of('alice'))).toBeUndefined();
  const waiting = Array.from({ length: 3 }, () => wait('alice'));
  expect(room.wait(of('alice'))).toBeUndefined();
  expect(room.enter(of('bob'))).toBeDefined(); // past those who wait: none of them may begin
  const end = room.enter(of('bob'));
  const bob = wait('bob');
  end?.();
  expect(await ended(bob)).toBe(true);
  jest.advanceTimersByTime(2000);
  expect(await Promise.all(waiting.map(ended))).toEqual([false, false, false]);
});

it('begins no more than may run when the others have gone', async () => {
  others.add('org_a');
  const [first] = fill('alice', 2);
  const turns = Array.from({ length: 3 }, () => wait('alice'));
  others.clear();
  first?.();
  expect(await Promise.all(turns.map(ended))).toEqual([true, true, true]);
  expect(room.enter(of('alice'))).toBeUndefined();
});
