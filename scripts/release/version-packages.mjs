// Takes the changesets of the folder in which it runs into the version, writes it wherever the repository names it, and gives
// what is unreleased in CHANGELOG.md that version and a date. The workflow `release` runs it for the pull request "Version
// packages".
import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { writeVersion } from './places.mjs';

const CHANGELOG = 'CHANGELOG.md';
const HEADING = '## [Unreleased]\n';

const before = version();
execFileSync(
  process.execPath,
  [createRequire(import.meta.url).resolve('@changesets/cli/bin.js'), 'version'],
  {
    stdio: 'inherit',
  },
);
const after = version();
if (after !== before) {
  writeVersion(process.cwd(), after);
  const text = readFileSync(CHANGELOG, 'utf8');
  if (!text.includes(HEADING)) throw new Error(`${CHANGELOG} has no "${HEADING.trim()}"`);
  const today = new Date().toISOString().slice(0, 10);
  writeFileSync(CHANGELOG, text.replace(HEADING, `${HEADING}\n## [${after}] - ${today}\n`));
}

/** All published packages have the same. */
function version() {
  return JSON.parse(readFileSync('packages/tool-server/package.json', 'utf8')).version;
}
