import { isDeepStrictEqual } from 'node:util';
import { expect } from '@jest/globals';

/** A change that takes something away is told to the hub at once; a list may still be under way. */
const PROMISED_MS = 2000;

/** What time alone can show, and no later than it is promised. */
export async function soon(
  expected: unknown,
  look: () => Promise<unknown>,
  withinMs = PROMISED_MS,
): Promise<void> {
  const end = performance.now() + withinMs;
  let seen = await look();
  while (!isDeepStrictEqual(seen, expected) && performance.now() < end) {
    await new Promise((resolve) => setTimeout(resolve, 200)); // the organization may have sixty requests a minute
    seen = await look();
  }
  expect(seen).toEqual(expected);
}
