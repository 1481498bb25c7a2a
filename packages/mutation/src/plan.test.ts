import { fileURLToPath } from 'node:url';
import { expect, it } from '@jest/globals';
import { makePlan } from './plan.ts';
import { SECURITY_CORE } from './sources/core.ts';
import { sourcesOf, testsOf } from './sources/files.ts';
import { createImportGraph } from './sources/imports.ts';

const ROOT = fileURLToPath(new URL('../../..', import.meta.url)).replace(/\/$/, '');

it('finds code and tests for each part of the security core', () => {
  for (const part of SECURITY_CORE) {
    expect(sourcesOf(ROOT, part)).not.toEqual([]);
    expect(testsOf(ROOT, part)).not.toEqual([]);
  }
});

it('assigns to a file the tests that import it, directly or indirectly', () => {
  const plan = makePlan(ROOT, [{ sources: ['packages/jwt/src'], tests: ['packages/jwt/src'] }]);
  expect(plan.mutants.length).toBeGreaterThan(100);
  expect(plan.testsFor('packages/jwt/src/verifier.ts')).toContain('packages/jwt/src/verifier.test.ts');
});

it('follows imports into other workspaces by their names', () => {
  const graph = createImportGraph(ROOT);
  const test = 'packages/oauth/src/client-authentication.test.ts';
  expect(graph.reaches(test, 'packages/jwt/src/verifier.ts')).toBe(true);
  expect(graph.reaches(test, 'packages/workload/src/workloads.ts')).toBe(false);
});

it('does not mutate tests or their helpers', () => {
  const files = sourcesOf(ROOT, { sources: ['packages/tool-server/src'], tests: [] });
  expect(files).toContain('packages/tool-server/src/tool-server.ts');
  expect(files.filter((file) => /\.test\.ts$|testing/.test(file))).toEqual([]);
});
