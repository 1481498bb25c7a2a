import { expect, it } from '@jest/globals';
import { deriveKeys } from './derive-keys.ts';
import { parseEncryptionKeys } from './envelope.ts';

const entry = (id: string) => `${id}:${Buffer.alloc(32, id).toString('base64')}`;
const keysOf = (...ids: string[]) => parseEncryptionKeys(ids.map(entry).join(','));

it('derives one key from each encryption key, beginning with the active one', () => {
  const [a] = deriveKeys(keysOf('a'), 'forms');
  const [b] = deriveKeys(keysOf('b'), 'forms');
  expect(deriveKeys(keysOf('b', 'a'), 'forms')).toEqual([b, a]);
  expect(a).toMatch(/^[\w-]{43}$/);
});

it('derives different keys for different purposes', () => {
  expect(deriveKeys(keysOf('a'), 'forms')).not.toEqual(deriveKeys(keysOf('a'), 'cookies'));
});
