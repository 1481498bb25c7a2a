import { expect, it } from '@jest/globals';
import { expectCleanThenMakeMess } from './clean-and-mess.ts';

interface Removed {
  readonly byTheCompiler: true;
}

expectCleanThenMakeMess();

it('fails at line 11', () => {
  expect<Removed | undefined>(undefined).toBeDefined();
});
