import { expect, it } from '@jest/globals';
import { parsedJsonBytes } from './json-memory.ts';

const LENGTH = 100_000;
const listOf = (item: string) =>
  Buffer.from(
    `[${Array(Math.floor(LENGTH / item.length))
      .fill(item)
      .join(',')}]`,
  );

it.each([
  ['empty arrays', listOf('[]'), 17],
  ['nested arrays', listOf(`${'['.repeat(20)}${']'.repeat(20)}`), 24],
  ['empty objects', listOf('{}'), 17],
  ['objects with a member', listOf('{"a":1}'), 16],
  ['numbers', listOf('1'), 5],
])('estimates for %s at least the memory measured in V8', (_what, json, timesItsText) => {
  expect(parsedJsonBytes(json)).toBeGreaterThan(timesItsText * json.length);
});

it('estimates nearly nothing for one long string, whose bytes are counted elsewhere', () => {
  expect(parsedJsonBytes(Buffer.from(JSON.stringify({ text: 'x'.repeat(LENGTH) })))).toBeLessThan(200);
});

it('estimates the worst case for a short text, without scanning it', () => {
  expect(parsedJsonBytes(Buffer.from('"abc"'))).toBe(5 * 32);
});
