import { expect, it } from '@jest/globals';
import fc from 'fast-check';
import { boundedChanges } from './bounded-changes.ts';

const bytesOf = (value: unknown) => Buffer.byteLength(JSON.stringify(value));

it('leaves short values unchanged', () => {
  const changes = { name: { from: null, to: 'x'.repeat(512) }, tools: { from: ['a'], to: [] } };
  expect(boundedChanges(changes)).toEqual(changes);
});

it('shortens the longest values first, if all of them together are too long', () => {
  const list = (length: number) => Array.from({ length: 10 }, (_, index) => `${index}`.padEnd(length, 'x'));
  const changes = {
    scopes: { from: list(390), to: list(391) },
    tools: { from: null, to: list(200) },
    name: { from: 'A', to: 'B' },
  };
  const bounded = boundedChanges(changes);
  expect(bounded.scopes?.to).toEqual({ length: 3941, sha256: expect.stringMatching(/^[0-9a-f]{64}$/) });
  expect([bounded.tools, bounded.name]).toEqual([changes.tools, changes.name]);
});

it('returns at most 8 KiB for any thirty changes', () => {
  const value = fc.oneof(
    fc.constant(null),
    fc.string({ unit: 'binary', maxLength: 2000, size: 'max' }),
    fc.array(fc.string({ maxLength: 500, size: 'max' }), { maxLength: 20, size: 'max' }),
  );
  const changes = fc.dictionary(
    fc.stringMatching(/^[a-z]{1,30}$/),
    fc.record({ from: value, to: value }, { noNullPrototype: true }),
    { maxKeys: 30, size: 'max', noNullPrototype: true },
  );
  fc.assert(fc.property(changes, (some) => bytesOf(boundedChanges(some)) <= 8192));
});
