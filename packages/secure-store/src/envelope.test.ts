import { createDecipheriv } from 'node:crypto';
import { describe, expect, it } from '@jest/globals';
import { open, rememberDerivedKeys, seal } from './envelope.ts';
import { generateEncryptionKeys, parseEncryptionKeys, UnreadableEntry } from './index.ts';

const KEY_A = Buffer.alloc(32, 1).toString('base64');
const KEY_B = Buffer.alloc(32, 2).toString('base64');
const keys = parseEncryptionKeys(`a:${KEY_A}`);
const NAME = 'token:org_acme:con_reference:user_alice';
const TEXT = '{"access_token":"ünïcode"}';

it('decrypts what it encrypted, and shows neither text nor name in it', () => {
  const sealed = seal(keys, NAME, TEXT);
  expect(open(keys, NAME, sealed)).toEqual({ plaintext: TEXT, keyId: 'a' });
  expect(sealed.toString('latin1')).not.toMatch(/access_token|user_alice/);
});

it('seals the same text differently every time', () => {
  expect(seal(keys, NAME, TEXT).equals(seal(keys, NAME, TEXT))).toBe(false);
});

it('uses each salt and each nonce once', () => {
  const sealed = Array.from({ length: 1000 }, () => seal(keys, NAME, ''));
  for (const [from, to] of [
    [3, 19],
    [19, 31],
  ])
    expect(new Set(sealed.map((entry) => entry.toString('hex', from, to))).size).toBe(1000);
});

it('seals an empty text', () => {
  expect(open(keys, NAME, seal(keys, NAME, '')).plaintext).toBe('');
});

it('refuses an entry that was stored under another name', () => {
  const sealed = seal(keys, NAME, TEXT);
  for (const other of ['token:org_acme:con_reference:user_bob', '', `${NAME} `]) {
    expect(() => open(keys, other, sealed)).toThrow(UnreadableEntry);
  }
});

it('refuses an entry with any single bit changed, and one cut off at any length', () => {
  const sealed = seal(keys, NAME, TEXT);
  for (let bit = 0; bit < sealed.length * 8; bit += 1) {
    const changed = Buffer.from(sealed);
    changed[bit >> 3] = (changed[bit >> 3] ?? 0) ^ (1 << (bit & 7));
    expect(() => open(keys, NAME, changed)).toThrow(UnreadableEntry);
  }
  for (let length = 0; length < sealed.length; length += 1) {
    expect(() => open(keys, NAME, sealed.subarray(0, length))).toThrow(UnreadableEntry);
  }
});

it('refuses an entry of an unknown version without decrypting it', () => {
  const sealed = seal(keys, NAME, TEXT);
  sealed[0] = 9;
  expect(() => open(keys, NAME, sealed)).toThrow('not a sealed entry');
});

it('refuses an entry that was relabelled with the id of an equal key', () => {
  const twins = parseEncryptionKeys(`a:${KEY_A},b:${KEY_A}`);
  const sealed = seal(twins, NAME, TEXT);
  sealed.write('b', 2, 'latin1');
  expect(() => open(twins, NAME, sealed)).toThrow('altered');
});

it('refuses an entry whose key was removed, or replaced by another key with the same id', () => {
  const sealed = seal(parseEncryptionKeys(`b:${KEY_B}`), NAME, TEXT);
  expect(() => open(keys, NAME, sealed)).toThrow('sealed with an unknown key');
  expect(() => open(parseEncryptionKeys(`b:${KEY_A}`), NAME, sealed)).toThrow('altered');
});

it('reveals nothing about text, name or key when it refuses', () => {
  expect(() => open(keys, 'other', seal(keys, NAME, TEXT))).toThrow(
    expect.objectContaining({ message: 'altered, or sealed under another name' }),
  );
});

it('seals with the first key and opens with all', () => {
  const both = parseEncryptionKeys(` b:${KEY_B}, a:${KEY_A}`);
  expect(open(both, NAME, seal(both, NAME, TEXT)).keyId).toBe('b');
  expect(open(both, NAME, seal(keys, NAME, TEXT))).toEqual({ plaintext: TEXT, keyId: 'a' });
});

describe('encryption keys', () => {
  it.each([
    ['nothing', ''],
    ['no id', KEY_A],
    ['an empty id', `:${KEY_A}`],
    ['an id of strange characters', `a b:${KEY_A}`],
    ['too short a key', `a:${Buffer.alloc(31).toString('base64')}`],
    ['too long a key', `a:${Buffer.alloc(33).toString('base64')}`],
    ['more than a key', `a:${KEY_A}:x`],
    ['an empty entry', `a:${KEY_A},`],
    ['the same id twice', `a:${KEY_A},a:${KEY_B}`],
  ])('with %s are refused, and not shown in the message', (_case, text) => {
    expect(() => parseEncryptionKeys(text)).toThrow(
      expect.objectContaining({ message: expect.not.stringContaining(KEY_A) }),
    );
  });

  it('are new for each process without configured keys', () => {
    const [one, two] = [generateEncryptionKeys(), generateEncryptionKeys()];
    expect(() => open(two, NAME, seal(one, NAME, TEXT))).toThrow(UnreadableEntry);
  });
});

describe('the key of an entry', () => {
  it('is neither the given key nor that of another entry', () => {
    const [one, other] = [seal(keys, NAME, TEXT), seal(keys, NAME, TEXT)];
    const salts = [one, other].map((sealed) => sealed.toString('hex', 3, 19));
    expect(salts[0]).not.toBe(salts[1]);
    const iv = one.subarray(19, 31);
    const decipher = createDecipheriv('aes-256-gcm', Buffer.alloc(32, 1), iv, { authTagLength: 16 });
    decipher.setAAD(Buffer.concat([one.subarray(0, 19), Buffer.from(NAME)]));
    decipher.setAuthTag(one.subarray(31, 47));
    decipher.update(one.subarray(47));
    expect(() => decipher.final()).toThrow();
  });

  it('is derived in the same way as in earlier releases', () => {
    const sealed = 'AgFhVh2hYjIb00v8m1xZuyUmJt2SeDEix/63dU2G2JCgWgW0WYD2f69P1kbcIL2rxDLpwVw=';
    expect(open(keys, 'a name', Buffer.from(sealed, 'base64'))).toEqual({ plaintext: 'a text', keyId: 'a' });
  });

  it('is cached until the cache is full of keys of other entries', () => {
    const derive = rememberDerivedKeys(2);
    const keyOf = (salt: number, id = 'a') => derive(Buffer.alloc(32, 1), id, Buffer.alloc(16, salt));
    const [one, two] = [keyOf(1), keyOf(2)];
    expect([keyOf(1) === one, keyOf(2) === two]).toEqual([true, true]);
    const three = keyOf(3);
    expect([keyOf(2) === two, keyOf(3) === three, keyOf(1) === one]).toEqual([true, true, false]);
    expect([keyOf(1), keyOf(3)]).toEqual([one, three]);
  });

  it('is cached by its key and its salt', () => {
    const derive = rememberDerivedKeys(10);
    const ofA = derive(Buffer.alloc(32, 1), 'a', Buffer.alloc(16, 1));
    expect(derive(Buffer.alloc(32, 2), 'b', Buffer.alloc(16, 1))).not.toEqual(ofA);
    expect(derive(Buffer.alloc(32, 1), 'a', Buffer.alloc(16, 2))).not.toEqual(ofA);
  });
});
