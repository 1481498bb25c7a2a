import { isDeepStrictEqual } from 'node:util';
import { expect } from '@jest/globals';

/** The hub gets a revocation at once; a list may still be in transit. */
const PROMISED_MS = 2000;

/** Waits for something that only time can show, within the promised limit. */
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
