import { expect, it } from '@jest/globals';
import { createMemoryBackend, createSecureStore, parseEncryptionKeys, UnreadableEntry } from './index.ts';
import { rememberOpened } from './opened-entries.ts';

const sealed = Buffer.from('sealed bytes');

it('finds the text of an entry by its name and its exact bytes, for a minute', () => {
  let nowMs = 1;
  const opened = rememberOpened({ now: () => nowMs });
  opened.keep('a', sealed, 'a text');
  expect(opened.find('a', Buffer.from(sealed))).toBe('a text');
  expect(opened.find('a', Buffer.from('sealed byte!'))).toBeUndefined();
  expect(opened.find('a', Buffer.from('sealed'))).toBeUndefined();
  expect(opened.find('b', sealed)).toBeUndefined();
  nowMs += 59_000;
  expect(opened.find('a', sealed)).toBe('a text');
  nowMs += 2000;
  expect(opened.find('a', sealed)).toBeUndefined();
});

it('keeps a copy of the bytes, so that later changes of the buffer have no effect', () => {
  const opened = rememberOpened();
  const buffer = Buffer.from(sealed);
  opened.keep('a', buffer, 'a text');
  buffer.fill(0);
  expect(opened.find('a', buffer)).toBeUndefined();
  expect(opened.find('a', sealed)).toBe('a text');
});

it('keeps a limited number of bytes', () => {
  const opened = rememberOpened();
  const text = 'x'.repeat(1_000_000);
  for (let i = 0; i < 20; i += 1) opened.keep(String(i), sealed, text);
  expect(opened.find('0', sealed)).toBeUndefined();
  expect(opened.find('19', sealed)).toBe(text);
});

it('finds nothing for an entry that has changed since it was read', async () => {
  let now = new Date(0);
  const backend = createMemoryBackend({ clock: () => now });
  const keys = parseEncryptionKeys(`a:${Buffer.alloc(32, 1).toString('base64')}`);
  const store = createSecureStore({ backend, keys });
  await store.set('one', 'first', 60);
  await store.set('other', 'of another name', 60);
  expect(await store.get('one')).toBe('first');

  const bytes = (await backend.get('one')) ?? Buffer.alloc(0);
  const altered = Buffer.from(bytes);
  altered[altered.length - 1] = (altered.at(-1) ?? 0) ^ 1;
  await backend.set('one', altered, 60);
  await expect(store.get('one')).rejects.toThrow(UnreadableEntry);
  await backend.set('one', (await backend.get('other')) ?? Buffer.alloc(0), 60); // moved
  await expect(store.get('one')).rejects.toThrow(UnreadableEntry);

  await store.set('one', 'second', 60);
  expect(await store.get('one')).toBe('second');
  await store.delete('one');
  expect(await store.get('one')).toBeUndefined();
  await store.set('one', 'third', 60);
  expect(await store.get('one')).toBe('third');
  now = new Date(61_000);
  expect(await store.get('one')).toBeUndefined();
});
