import { it } from '@jest/globals';

it('waits for what never comes', () => {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0);
});
