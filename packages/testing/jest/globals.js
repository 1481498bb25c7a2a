/**
 * The exports of `@jest/globals` for test files. The values belong to one test file at a time, and these bindings are
 * updated with them, even in a helper that was loaded for an earlier file.
 */
export let jest;
export let expect;
export let it;
export let test;
export let describe;
export let beforeAll;
export let beforeEach;
export let afterAll;
export let afterEach;

/** @param {typeof import('@jest/globals')} globals those of the test file that runs next */
export function setGlobals(globals) {
  ({ jest, expect, it, test, describe, beforeAll, beforeEach, afterAll, afterEach } = globals);
}
