// Run by `npm pack` and `npm publish` in the folder of a package: refuses what would be broken for those who install it, and
// copies the licence.
import { copyFileSync, existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const folder = process.cwd();
const faults = findFaults(folder);
if (faults.length > 0) {
  for (const fault of faults) process.stderr.write(`${folder}: ${fault}\n`);
  process.exitCode = 1;
} else {
  copyFileSync(fileURLToPath(new URL('../LICENSE', import.meta.url)), join(folder, 'LICENSE'));
}

function findFaults(folder) {
  const manifest = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
  const readme = readFileSync(join(folder, 'README.md'), 'utf8');
  const faults = [];
  if (manifest.private) faults.push('is private');
  for (const members of ['dependencies', 'peerDependencies', 'optionalDependencies']) {
    for (const [name, range] of Object.entries(manifest[members] ?? {})) {
      if (range === '*') faults.push(`${members}: ${name} needs a version, not *`);
      else if (name.startsWith('@legate/') && range !== manifest.version)
        faults.push(
          `${members}: ${name} is ${range}, and packages are published together as ${manifest.version}`,
        );
    }
  }
  if (!(manifest.bin ? /^```\w/m : /^```ts\b/m).test(readme)) faults.push('README.md has no example (```ts)');
  for (const file of [manifest.exports ?? {}, manifest.bin ?? {}].flatMap(filesOf)) {
    if (!existsSync(join(folder, file))) faults.push(`${file} is missing: npm run build`);
  }
  return faults;
}

function filesOf(entry) {
  return typeof entry === 'string' ? [entry] : Object.values(entry).flatMap(filesOf);
}
