// The lock file must serve everywhere: no registry's address in it, and the binaries of every platform.
import { readFileSync } from 'node:fs';

/** @returns one line for each fault */
export function checkLockFile() {
  const { packages } = JSON.parse(readFileSync('package-lock.json', 'utf8'));
  const names = new Set(Object.keys(packages).map((path) => path.split('node_modules/').at(-1)));
  return Object.entries(packages).flatMap(([path, { resolved = '', optionalDependencies = {} }]) => [
    ...(resolved.startsWith('http')
      ? [`package-lock.json: ${path}: records a download address; see .npmrc`]
      : []),
    ...Object.keys(optionalDependencies)
      .filter((name) => !names.has(name))
      .map((name) => `package-lock.json: ${path}: ${name} is missing, so npm ci fails on some machines`),
  ]);
}
