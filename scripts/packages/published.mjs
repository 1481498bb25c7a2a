// The packages that are published, and their tarballs.
import { execFile } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, readFileSync } from 'node:fs';
import { join, sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

const MAX_BYTES = 300_000;

export const root = fileURLToPath(new URL('../..', import.meta.url));
export const run = promisify(execFile);

export function findPublished() {
  return readdirSync(join(root, 'packages'))
    .map((name) => join(root, 'packages', name))
    .filter((folder) => existsSync(join(folder, 'package.json'))) // else only ignored files are left of it
    .map((folder) => ({ folder, manifest: JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) }))
    .filter(({ manifest }) => !manifest.private);
}

/**
 * The names of a package and of those of ours that it needs.
 * @param packages by name, with `manifest`
 */
export function withDependencies(name, packages, found = new Set()) {
  const needed = packages.get(name);
  if (!needed || found.has(name)) return found;
  found.add(name);
  for (const each of Object.keys(needed.manifest.dependencies ?? {})) withDependencies(each, packages, found);
  return found;
}

/**
 * Packs a package, unpacks it as if it were installed in `work`, and compares its files with its sources.
 * @returns the path of the tarball too
 */
export async function pack({ folder, manifest }, work) {
  const { stdout } = await run('npm', ['pack', '--json', '--silent', '--pack-destination', work], {
    cwd: folder,
  });
  const [packed] = JSON.parse(stdout);
  const tarball = join(work, packed.filename);
  const installed = join(work, 'node_modules', manifest.name);
  mkdirSync(installed, { recursive: true });
  await run('tar', ['-xzf', tarball, '-C', installed, '--strip-components=1']);
  return { tarball, bytes: packed.size, faults: faultsOfFiles(folder, manifest, packed) };
}

function faultsOfFiles(folder, manifest, packed) {
  const actual = new Set(packed.files.map(({ path }) => path));
  const expected = expectedFiles(folder, manifest);
  return [
    ...[...expected].filter((path) => !actual.has(path)).map((path) => `${path} is missing`),
    ...[...actual].filter((path) => !expected.has(path)).map((path) => `${path} has no source, or is a test`),
    ...(packed.size > MAX_BYTES ? [`${packed.size} bytes, more than ${MAX_BYTES}`] : []),
  ];
}

/** Sources without tests, what the compiler makes of each, the programs, data, and the examples that the package copies. */
function expectedFiles(folder, manifest) {
  const sources = filesBelow(folder, 'src').filter(
    (path) => path.endsWith('.ts') && !path.endsWith('.test.ts') && !path.startsWith('testing/'),
  );
  const compiled = sources.flatMap((path) =>
    ['.js', '.js.map', '.d.ts', '.d.ts.map'].map((ending) => `dist/${path.slice(0, -'.ts'.length)}${ending}`),
  );
  return new Set([
    'LICENSE',
    'README.md',
    'package.json',
    ...Object.values(manifest.bin ?? {}).map((path) => path.replace('./', '')),
    ...sources.map((path) => `src/${path}`),
    ...compiled,
    ...dataOf(folder, manifest),
    ...templatesOf(folder),
  ]);
}

/** JSON files in the folders that the package names beside those of its code */
function dataOf(folder, { files = [] }) {
  const names = files.filter((name) => !['dist', 'src'].includes(name) && existsSync(join(folder, name)));
  return names.flatMap((name) =>
    filesBelow(folder, name).flatMap((path) => (path.endsWith('.json') ? [`${name}/${path}`] : [])),
  );
}

/** What a package has below `dist/templates`, which its build copies from the examples */
function templatesOf(folder) {
  if (!existsSync(join(folder, 'dist/templates'))) return [];
  return readdirSync(join(folder, 'dist/templates')).flatMap((name) => {
    const sources = filesBelow(join(root, 'examples', name), 'src').map((path) => `src/${path}`);
    return [...sources, 'manifest.json', 'tsconfig.json'].map((path) => `dist/templates/${name}/${path}`);
  });
}

function filesBelow(folder, name) {
  return readdirSync(join(folder, name), { recursive: true }).map((path) => path.split(sep).join('/'));
}
