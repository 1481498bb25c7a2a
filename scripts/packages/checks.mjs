// Checks of a tarball that need no network: the manifest, the types, and each entry point with nothing around but what the
// package declares.
import { existsSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { root, run } from './published.mjs';

/** Checks by publint that the members of package.json lead to files of the right kind. */
export const checkManifest = (tarball) => faultOf(binary('publint'), ['--strict', tarball]);

/** Checks by arethetypeswrong that TypeScript finds the types of each entry point. Packages are ES modules only. */
export const checkTypes = (tarball) =>
  faultOf(binary('attw'), ['--profile', 'esm-only', '--no-emoji', '--format', 'ascii', tarball]);

/** Dependencies that a package does not declare are not found, as after an installation without our other workspaces. */
export function linkDependencies({ folder, manifest }, work) {
  const installed = (name) => join(work, 'node_modules', name);
  const names = Object.keys({ ...manifest.dependencies, ...manifest.peerDependencies });
  for (const name of names.filter((each) => !existsSync(installed(each)))) {
    const found = [folder, root].map((from) => join(from, 'node_modules', name)).find(existsSync);
    const link = join(installed(manifest.name), 'node_modules', name);
    mkdirSync(dirname(link), { recursive: true });
    if (found) symlinkSync(found, link, 'junction');
  }
}

export function checkImports({ manifest }, work) {
  const entryPoints = Object.keys(manifest.exports)
    .filter((path) => path !== './package.json')
    .map((path) => manifest.name + path.slice(1));
  const program = join(work, `import-${manifest.name.split('/')[1]}.mjs`);
  writeFileSync(program, entryPoints.map((each) => `await import(${JSON.stringify(each)});`).join('\n'));
  return faultOf(process.execPath, [program]);
}

/** @returns what a command that fails has printed */
export async function faultOf(command, args, options = {}) {
  try {
    await run(command, args, options);
    return [];
  } catch (error) {
    return [`${error.stdout ?? ''}${error.stderr ?? ''}`.trim() || String(error)];
  }
}

function binary(name) {
  return join(root, 'node_modules/.bin', name);
}
