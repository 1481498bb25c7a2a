// Prints what CHANGELOG.md of the folder in which it runs says of a version, as the notes of its release.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { addressOf, findManifests } from './places.mjs';

/** @returns undefined: the version has no heading. `date`: undefined while the heading says "unreleased" */
export function notesIn(root, version) {
  const [, rest] = readFileSync(join(root, 'CHANGELOG.md'), 'utf8').split(`\n## [${version}] - `);
  if (rest === undefined) return undefined;
  const [heading, ...lines] = rest.split('\n## ')[0].split('\n');
  const date = /^\d{4}-\d\d-\d\d$/.test(heading) ? heading : undefined;
  const address = addressOf(findManifests(root).get('package.json'));
  // Notes are not read beside the files that they link to.
  const text = lines.join('\n').replace(/\]\((?!https?:|#)/g, `](${address}/blob/v${version}/`);
  return { date, text: text.trim() };
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const [version = ''] = process.argv.slice(2);
  const notes = notesIn(process.cwd(), version);
  if (notes?.date === undefined) {
    process.stderr.write(`CHANGELOG.md has no heading "## [${version}] - <date>"\n`);
    process.exitCode = 1;
  } else process.stdout.write(`${notes.text}\n`);
}
