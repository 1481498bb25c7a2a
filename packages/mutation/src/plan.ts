import { readFileSync } from 'node:fs';
import { findMutants } from './mutants/find-mutants.ts';
import type { Mutant } from './mutants/mutant.ts';
import type { Part } from './sources/core.ts';
import { sourcesOf, testsOf } from './sources/files.ts';
import { createImportGraph } from './sources/imports.ts';

export interface Plan {
  /** Every mutant of every part. */
  readonly mutants: readonly Mutant[];
  /** The tests of a source file: those of its part that import it, directly or indirectly. */
  testsFor(file: string): readonly string[];
}

export function makePlan(root: string, parts: readonly Part[]): Plan {
  const graph = createImportGraph(root);
  const tests = new Map<string, readonly string[]>();
  for (const part of parts)
    for (const file of sourcesOf(root, part))
      tests.set(
        file,
        testsOf(root, part).filter((test) => graph.reaches(test, file)),
      );
  return {
    mutants: [...tests.keys()].flatMap((file) => findMutants(file, readFileSync(`${root}/${file}`, 'utf8'))),
    testsFor: (file) => tests.get(file) ?? [],
  };
}
