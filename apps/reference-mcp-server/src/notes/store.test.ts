import { expect, it } from '@jest/globals';
import { createMemoryNotes, MAX_NOTES_PER_USER } from './store.ts';

const NOW = new Date(1_790_000_000_000);
const create = () => createMemoryNotes({ clock: () => NOW });

it('keeps the notes of each owner apart, oldest first', async () => {
  const notes = create();
  const first = await notes.create('alice', 'one');
  const second = await notes.create('alice', 'two');
  await notes.create('bob', 'three');
  expect(await notes.list('alice')).toEqual([first, second]);
  expect(await notes.list('carol')).toEqual([]);
});

it('deletes a note for its owner only', async () => {
  const notes = create();
  const note = await notes.create('alice', 'one');
  expect(await notes.delete('bob', note?.id ?? '')).toBe(false);
  expect(await notes.delete('alice', note?.id ?? '')).toBe(true);
  expect(await notes.delete('alice', note?.id ?? '')).toBe(false);
});

it('limits the number of notes for each owner', async () => {
  const notes = create();
  for (let i = 0; i < MAX_NOTES_PER_USER; i += 1) expect(await notes.create('alice', `${i}`)).toBeDefined();
  expect(await notes.create('alice', 'one more')).toBeUndefined();
  expect(await notes.create('bob', 'the first')).toBeDefined();
});

it('limits the number of owners: the least recently used one is dropped', async () => {
  const notes = create();
  for (let i = 0; i < 1000; i += 1) await notes.create(`user_${i}`, 'x');
  await notes.list('user_0');
  await notes.create('user_1000', 'x');
  expect(await notes.list('user_0')).toHaveLength(1);
  expect(await notes.list('user_1')).toHaveLength(0);
});
