import { createHash } from 'node:crypto';
import type { SyncTransformer } from '@jest/transform';
import { createTransformer as createSwcTransformer } from '@swc/jest';
import { applyEdit } from '../mutants/mutant.ts';
import { MUTANT_VARIABLE, readActiveMutant } from './mutant-variable.ts';

/**
 * The transform of the tests, which compiles one file with a mutant in it. No file on disk is ever changed, and all the
 * other files come from the cache.
 */
export default {
  createTransformer(options: Parameters<typeof createSwcTransformer>[0]): SyncTransformer {
    const swc = createSwcTransformer(options);
    const compile = swc.process;
    if (!compile) throw new Error('@swc/jest has no synchronous compiler');
    const mutated = (source: string, path: string): string => {
      const mutant = readActiveMutant(process.env[MUTANT_VARIABLE]);
      return mutant?.path === path ? applyEdit(source, mutant) : source;
    };
    return {
      process: (source, path, transform) => compile(mutated(source, path), path, transform),
      // Independent of the whole configuration, which differs between mutants
      getCacheKey: (source, path, { supportsStaticESM }) =>
        createHash('sha256')
          .update(JSON.stringify([options, mutated(source, path), path, supportsStaticESM]))
          .digest('hex'),
    };
  },
};
