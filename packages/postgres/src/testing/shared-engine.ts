import { constants, runInThisContext } from 'node:vm';
import type { PGlite } from '@electric-sql/pglite';

/**
 * The database engine as Node.js itself loads it. Each suite of Jest has modules and globals of its own, and would compile the
 * engine anew and run it cold; this one is there once in a process, and warm from the second suite on.
 */
export async function sharedEngine(): Promise<Pick<typeof PGlite, 'create'>> {
  const engine: unknown = await runInThisContext(
    `import(${JSON.stringify(import.meta.resolve('@electric-sql/pglite'))})`,
    {
      importModuleDynamically: constants.USE_MAIN_CONTEXT_DEFAULT_LOADER,
    },
  );
  return (engine as { PGlite: typeof PGlite }).PGlite;
}
