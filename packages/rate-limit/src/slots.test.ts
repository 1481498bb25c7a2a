import { expect, it } from '@jest/globals';
import { createSlots } from './index.ts';

const org = (max: number) => ({ key: 'org:acme', max });
const user = (max: number) => ({ key: 'user:alice', max });

it('gives a holder at most its maximum of slots, and reuses released ones', () => {
  const slots = createSlots();
  const first = slots.take([org(2)]);
  expect(slots.take([org(2)])).toBeDefined();
  expect(slots.take([org(2)])).toBeUndefined();
  expect(slots.take([{ key: 'org:globex', max: 2 }])).toBeDefined();
  first?.();
  first?.(); // does not release another slot
  expect(slots.take([org(2)])).toBeDefined();
  expect(slots.take([org(2)])).toBeUndefined();
});

it('takes all slots of several claims or none', () => {
  const slots = createSlots();
  const held = slots.take([org(9), user(1)]);
  expect(slots.take([org(9), user(1)])).toBeUndefined();
  held?.();
  for (let taken = 0; taken < 9; taken++) expect(slots.take([org(9)])).toBeDefined();
  expect(slots.take([org(9)])).toBeUndefined();
});

it('names the claim that has no slot left', () => {
  const slots = createSlots();
  slots.take([org(2), user(1)]);
  expect(slots.findFull([org(2), user(1)])).toEqual(user(1));
  expect(slots.findFull([org(2), user(2)])).toBeUndefined();
});
