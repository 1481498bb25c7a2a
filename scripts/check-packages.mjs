// Packs each package that is published, compares its files with its sources, and imports each of its entry points with
// nothing around but what it declares: `npm run check:packages`. A file as argument gets the numbers, as of a test run.
import { execFile } from 'node:child_process';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

const MAX_BYTES = 300_000;

const root = fileURLToPath(new URL('..', import.meta.url));
const run = promisify(execFile);
const packages = findPublished();
const work = mkdtempSync(join(tmpdir(), 'legate-packages-'));
try {
  const results = [];
  for (const each of packages) results.push(...(await checkTarball(each)));
  for (const each of packages) linkDependencies(each);
  for (const each of packages) results.push(await checkImports(each));
  report(results);
} finally {
  rmSync(work, { recursive: true, force: true });
}

function findPublished() {
  return readdirSync(join(root, 'packages'))
    .map((name) => join(root, 'packages', name))
    .map((folder) => ({ folder, manifest: JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) }))
    .filter(({ manifest }) => !manifest.private);
}

async function checkTarball({ folder, manifest }) {
  const title = `${manifest.name}: files`;
  try {
    const { stdout } = await run('npm', ['pack', '--json', '--silent', '--pack-destination', work], {
      cwd: folder,
    });
    const [packed] = JSON.parse(stdout);
    const installed = installedAt(manifest.name);
    mkdirSync(installed, { recursive: true });
    await run('tar', ['-xzf', join(work, packed.filename), '-C', installed, '--strip-components=1']);
    return [{ title, faults: faultsOfFiles(folder, packed) }];
  } catch (error) {
    return [{ title, faults: [error.stderr || String(error)] }];
  }
}

function faultsOfFiles(folder, packed) {
  const actual = new Set(packed.files.map(({ path }) => path));
  const expected = expectedFiles(folder);
  return [
    ...[...expected].filter((path) => !actual.has(path)).map((path) => `${path} is missing`),
    ...[...actual].filter((path) => !expected.has(path)).map((path) => `${path} has no source, or is a test`),
    ...(packed.size > MAX_BYTES ? [`${packed.size} bytes, more than ${MAX_BYTES}`] : []),
  ];
}

/** Sources without tests, and what the compiler makes of each. */
function expectedFiles(folder) {
  const sources = readdirSync(join(folder, 'src'), { recursive: true })
    .map((path) => path.split(sep).join('/'))
    .filter((path) => path.endsWith('.ts') && !path.endsWith('.test.ts') && !path.startsWith('testing/'));
  const compiled = sources.flatMap((path) =>
    ['.js', '.js.map', '.d.ts', '.d.ts.map'].map((ending) => `dist/${path.slice(0, -'.ts'.length)}${ending}`),
  );
  return new Set([
    'LICENSE',
    'README.md',
    'package.json',
    ...sources.map((path) => `src/${path}`),
    ...compiled,
  ]);
}

/** Dependencies that a package does not declare are not found, as after an installation without our other workspaces. */
function linkDependencies({ folder, manifest }) {
  const names = Object.keys({ ...manifest.dependencies, ...manifest.peerDependencies });
  for (const name of names.filter((each) => !existsSync(installedAt(each)))) {
    const found = [folder, root].map((from) => join(from, 'node_modules', name)).find(existsSync);
    const link = join(installedAt(manifest.name), 'node_modules', name);
    mkdirSync(dirname(link), { recursive: true });
    if (found) symlinkSync(found, link, 'junction');
  }
}

async function checkImports({ manifest }) {
  const entryPoints = Object.keys(manifest.exports)
    .filter((path) => path !== './package.json')
    .map((path) => manifest.name + path.slice(1));
  const program = entryPoints.map((each) => `await import(${JSON.stringify(each)});`).join('\n');
  writeFileSync(join(work, 'import.mjs'), program);
  const title = `${manifest.name}: imports`;
  try {
    await run(process.execPath, ['import.mjs'], { cwd: work });
    return { title, faults: [] };
  } catch (error) {
    return { title, faults: [error.stderr || String(error)] };
  }
}

function installedAt(name) {
  return join(work, 'node_modules', name);
}

function report(results) {
  const failures = results.flatMap(({ title, faults }) => faults.map((fault) => `${title}: ${fault}`));
  for (const failure of failures) process.stderr.write(`${failure}\n`);
  const failed = results.filter(({ faults }) => faults.length > 0).length;
  const passed = results.length - failed;
  process.stdout.write(`${packages.length} packages: ${passed} checks passed, ${failed} failed\n`);
  const [file] = process.argv.slice(2);
  const ran = results.map(({ title }) => title);
  if (file) writeFileSync(file, JSON.stringify({ passed, failed, ran, skipped: [], failures }));
  if (failed > 0) process.exitCode = 1;
}
