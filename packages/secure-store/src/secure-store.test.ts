import { expect, it } from '@jest/globals';
import { createMemoryBackend, createSecureStore, parseEncryptionKeys, UnreadableEntry } from './index.ts';

const KEY_A = Buffer.alloc(32, 1).toString('base64');
const KEY_B = Buffer.alloc(32, 2).toString('base64');
const backend = createMemoryBackend({ clock: () => new Date(0) });

it('reports an entry that it cannot read, and reads the others', async () => {
  const store = createSecureStore({ backend, keys: parseEncryptionKeys(`a:${KEY_A}`) });
  await store.set('one', 'a text', 60);
  await createSecureStore({ backend, keys: parseEncryptionKeys(`b:${KEY_B}`) }).set('two', 'a text', 60);
  expect(await store.getMany(['one', 'two', 'three'])).toEqual([
    'a text',
    expect.any(UnreadableEntry),
    undefined,
  ]);
  await expect(store.get('two')).rejects.toThrow(UnreadableEntry);
});

it('does not treat an internal error as an unreadable entry', async () => {
  const keys = parseEncryptionKeys(`a:${KEY_A}`);
  await createSecureStore({ backend, keys }).set('one', 'a text', 60);
  const store = createSecureStore({ backend, keys: { ...keys, activeId: 'gone' } });
  await expect(store.getMany(['one'])).rejects.toThrow('the active encryption key is missing');
});
