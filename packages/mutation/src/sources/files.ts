import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import type { Part } from './core.ts';

/** Returns the source files of a part, relative to the root; without tests, their helpers, lists of exports and
 * texts of problems. */
export const sourcesOf = (root: string, { sources }: Part): string[] =>
  filesOf(root, sources).filter((path) => !/\.test\.ts$|\/testing\/|\/(index|problems)\.ts$/.test(path));

export const testsOf = (root: string, { tests }: Part): string[] =>
  filesOf(root, tests).filter((path) => path.endsWith('.test.ts'));

function filesOf(root: string, paths: readonly string[]): string[] {
  const all = paths.flatMap((path) =>
    statSync(join(root, path)).isDirectory()
      ? readdirSync(join(root, path), { recursive: true, encoding: 'utf8' }).map((name) => `${path}/${name}`)
      : [path],
  );
  return [...new Set(all)].filter((path) => path.endsWith('.ts')).sort();
}

/** Returns the workspace that a file belongs to, such as `packages/jwt`. */
export const workspaceOf = (file: string): string => file.split('/').slice(0, 2).join('/');
