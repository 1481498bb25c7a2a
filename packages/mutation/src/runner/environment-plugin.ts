import type { Circus } from '@jest/types';
import { TestEnvironment } from 'jest-environment-node';

/** Skips the rest of a test file after its first failure: one is enough to notice a mutant. */
export default class FirstFailureEnvironment extends TestEnvironment {
  #hasFailed = false;

  handleTestEvent(event: Circus.Event): void {
    if (event.name === 'test_fn_failure' || event.name === 'hook_failure') this.#hasFailed = true;
    if (event.name === 'test_start' && this.#hasFailed) event.test.mode = 'skip';
  }
}
