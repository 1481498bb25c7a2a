import { inspect, isDeepStrictEqual } from 'node:util';
import { eventually } from '@legate/testing';

/** The organization may have sixty requests a minute. */
const PAUSE_MS = 200;

/**
 * Waits until `look` returns the expected value. The tests `change-time` and `revocation-time` measure how long that
 * takes.
 */
export async function soon(expected: unknown, look: () => Promise<unknown>): Promise<void> {
  await eventually(inspect(expected, { depth: 6 }), look, {
    pauseMs: PAUSE_MS,
    until: (seen) => isDeepStrictEqual(seen, expected),
  });
}
