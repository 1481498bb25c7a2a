import { beforeEach, expect, it } from '@jest/globals';
import { type Backend, createMemoryBackend } from './index.ts';

let nowMs: number;
let backend: Backend;
beforeEach(() => {
  nowMs = 1_790_000_000_000;
  backend = createMemoryBackend({ clock: () => new Date(nowMs) });
});

const ONE = Buffer.from('one');
const TWO = Buffer.from('two');

it('drops an entry exactly at its expiry, to the millisecond', async () => {
  await backend.set('k', ONE, 60);
  nowMs += 59_999;
  expect(await backend.get('k')).toEqual(ONE);
  nowMs += 1;
  expect(await backend.get('k')).toBeUndefined();
  expect(await backend.delete('k')).toBe(false);
});

it('allows a key to be added again once its entry has expired', async () => {
  expect(await backend.add('k', ONE, 60)).toBe(true);
  nowMs += 60_000;
  expect(await backend.add('k', TWO, 60)).toBe(true);
  expect(await backend.get('k')).toEqual(TWO);
});

it('keeps the expiry of an entry whose value is replaced', async () => {
  await backend.set('k', ONE, 60);
  nowMs += 59_000;
  await backend.replace('k', ONE, TWO);
  expect(await backend.get('k')).toEqual(TWO);
  nowMs += 1000;
  expect(await backend.get('k')).toBeUndefined();
});

it('sets a new expiry only if one is given and the value is replaced', async () => {
  await backend.set('k', ONE, 60);
  expect(await backend.replace('k', TWO, ONE, 600)).toBe(false);
  nowMs += 59_000;
  expect(await backend.replace('k', ONE, TWO, 600)).toBe(true);
  nowMs += 599_000;
  expect(await backend.get('k')).toEqual(TWO);
  await expect(backend.replace('k', TWO, ONE, 0)).rejects.toThrow(RangeError);
  nowMs += 1000;
  expect(await backend.get('k')).toBeUndefined();
});

it('removes expired entries even if nobody reads them', async () => {
  const write = async (count: number, prefix: string) => {
    for (let i = 0; i < count; i += 1) await backend.set(`${prefix}${i}`, Buffer.alloc(1), 1);
  };
  await write(500, 'old');
  nowMs += 1000;
  await write(500, 'new');
  nowMs -= 1000; // entries that are still stored would now be valid again
  expect(await backend.get('old0')).toBeUndefined();
  expect(await backend.get('new0')).toBeDefined();
});
