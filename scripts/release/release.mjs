// npm run release -- --dry-run: what a release of this commit would publish, and what stands in its way. It sends nothing.
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { findPublished, root, run } from '../packages/published.mjs';
import { notesIn } from './notes.mjs';
import { findObstacles } from './obstacles.mjs';
import { addressOf, findManifests } from './places.mjs';

const HELP = `npm run release -- --dry-run   builds, and shows what a release would publish; exit code 1 if it would fail

The workflow "release" publishes, and nobody by hand but the first time: docs/releasing.md
`;

// `| head` closes the pipe when it has read enough
process.stdout.on('error', (err) => {
  if (err.code !== 'EPIPE') throw err;
  process.exit();
});

const { values } = parseArgs({ options: { 'dry-run': { type: 'boolean', default: false } } });
if (!values['dry-run']) {
  process.stderr.write(HELP);
  process.exit(2);
}
const { version, ...manifest } = findManifests(root).get('package.json');
const address = addressOf(manifest);
const notes = notesIn(root, version);

await run(
  'npm',
  ['run', '--silent', 'build', '--', ...findPublished().map((each) => `--filter=${each.manifest.name}`)],
  {
    cwd: root,
  },
);
print(`Packages, by "npm publish" with provenance\n`);
for (const each of findPublished()) print(`  ${await describe(each)}\n`);
print(`\nImages for amd64 and arm64, signed, with SBOM and provenance\n`);
for (const app of readdirSync(join(root, 'apps'))) print(`  ${imageOf(app)}:${version}\n`);
print(`\nRelease v${version}, with an SBOM of the packages and the digests of the images\n`);
print(`${(notes?.text ?? 'no notes').replace(/^(?=.)/gm, '  ')}\n`);

const obstacles = findObstacles(root);
if (obstacles.length > 0) {
  print(`\nIt would fail now:\n${obstacles.map((each) => `  ${each}\n`).join('')}`);
  process.exitCode = 1;
}

async function describe({ folder, manifest }) {
  const { stdout } = await run('npm', ['pack', '--dry-run', '--json', '--silent'], { cwd: folder });
  const [{ name, version, size, unpackedSize, entryCount }] = JSON.parse(stdout);
  const provenance = manifest.publishConfig?.provenance ? '' : '  without provenance';
  return `${`${name}@${version}`.padEnd(30)}${kilobytes(size)}, unpacked ${kilobytes(unpackedSize)}, ${String(entryCount).padStart(3)} files${provenance}`;
}

function imageOf(app) {
  return address?.startsWith('https://github.com/')
    ? `ghcr.io/${new URL(address).pathname.slice(1).toLowerCase()}/${app}`
    : app;
}

function kilobytes(bytes) {
  return `${(bytes / 1000).toFixed(1).padStart(6)} kB`;
}

function print(text) {
  process.stdout.write(text);
}
