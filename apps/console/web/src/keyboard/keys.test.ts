import { describe, expect, it } from '@jest/globals';
import { createKeyReader, type KeyPress, SEQUENCE_MS } from './keys.ts';

const press = (key: string, rest: Partial<KeyPress> = {}): KeyPress => ({
  key,
  ctrlOrMeta: false,
  alt: false,
  typing: false,
  at: 0,
  ...rest,
});
const reader = (singleKeys = true) => createKeyReader(() => singleKeys);

describe('createKeyReader', () => {
  it('opens the palette on Ctrl K, also within a field', () => {
    expect(reader()(press('k', { ctrlOrMeta: true, typing: true }))).toEqual({ kind: 'palette' });
  });

  it('goes to a page on g and a second key', () => {
    const read = reader();
    expect(read(press('g'))).toBeUndefined();
    expect(read(press('l'))).toEqual({ kind: 'go', to: '/audit' });
  });

  it('treats a second key that comes too late as a single key', () => {
    const read = reader();
    read(press('g'));
    expect(read(press('p', { at: SEQUENCE_MS + 1 }))).toEqual({ kind: 'pause' });
  });

  it('starts over after a key without a meaning', () => {
    const read = reader();
    read(press('g'));
    read(press('x'));
    expect(read(press('c'))).toBeUndefined();
  });

  it.each(['j', '/', '?', 'g'])('leaves %s to the field in which it is typed', (key) => {
    expect(reader()(press(key, { typing: true }))).toBeUndefined();
  });

  it.each(['j', '/', '?'])('ignores %s if single keys are turned off', (key) => {
    expect(reader(false)(press(key))).toBeUndefined();
  });

  it('leaves other keys with Ctrl to the browser', () => {
    expect(reader()(press('j', { ctrlOrMeta: true }))).toBeUndefined();
  });
});
