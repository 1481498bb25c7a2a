import { existsSync, readFileSync } from 'node:fs';
import { posix } from 'node:path';

/** Finds all files that a file imports, directly or indirectly; reads each file once. */
export function createImportGraph(root: string) {
  const imports = new Map<string, readonly string[]>();
  const importsOf = (file: string): readonly string[] => {
    const known = imports.get(file);
    if (known) return known;
    const found = readImports(root, file);
    imports.set(file, found);
    return found;
  };

  return {
    reaches(from: string, target: string): boolean {
      const seen = new Set([from]);
      for (const file of seen) for (const imported of importsOf(file)) seen.add(imported);
      return seen.has(target);
    },
  };
}

const SPECIFIER = /(?:from|import)\s*\(?\s*'([^']+)'/g;

function readImports(root: string, file: string): string[] {
  const source = readFileSync(`${root}/${file}`, 'utf8');
  return [...source.matchAll(SPECIFIER)].flatMap(([, specifier = '']) => {
    const path = pathOf(root, file, specifier);
    return path && existsSync(`${root}/${path}`) ? [path] : [];
  });
}

/** @returns undefined for a module outside this repository */
function pathOf(root: string, file: string, specifier: string): string | undefined {
  if (specifier.startsWith('.')) return posix.join(posix.dirname(file), specifier);
  const [, name, entry = ''] = /^@legate\/([\w-]+)(?:\/(.+))?$/.exec(specifier) ?? [];
  if (!name) return undefined;
  const candidates = entry ? [`${entry}.ts`, `${entry}/index.ts`] : ['index.ts'];
  return candidates
    .flatMap((candidate) => [`packages/${name}/src/${candidate}`, `apps/${name}/src/${candidate}`])
    .find((path) => existsSync(`${root}/${path}`));
}
