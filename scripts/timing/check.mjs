#!/usr/bin/env node
// Fails where a test that runs in the gate depends on the speed of the machine, or waits in a loop of its own: prints
// each place, and what to write instead. What needs('night') may measure: packages/testing/README.md.
// check.mjs [--root FOLDER]
import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { parseArgs } from 'node:util';
import { listFiles } from '../list-files.mjs';
import { faultsOf } from './faults.mjs';
import { parse } from './syntax.mjs';

/** Tests and their helpers. A helper may do what its tests may, so this needs more than the one file that Biome's plugins see. */
const CHECKED = /\.test\.tsx?$|\/testing\/.*\.ts$|^packages\/e2e\/src\/.*\.ts$/;
const NOT_CHECKED = /^packages\/bench\/|^packages\/testing\/src\/eventually(\.test)?\.ts$/;

const { values: options } = parseArgs({
  options: { root: { type: 'string', default: join(import.meta.dirname, '../..') } },
});
const sources = new Map(
  listFiles(options.root)
    .filter((file) => CHECKED.test(file) && !NOT_CHECKED.test(file))
    .map((file) => [file, parse(readFileSync(join(options.root, file), 'utf8'))]),
);
const importers = importersOf(sources);
const faults = [...sources].flatMap(([file, source]) =>
  runsAtNight(file) ? [] : faultsOf(source).map(({ line, text }) => `${file}:${line}: ${text}`),
);
for (const fault of faults) process.stderr.write(`${fault}\n`);
process.exitCode = faults.length === 0 ? 0 : 1;

/** @returns for each file, the files that import it by a path */
function importersOf(sources) {
  const importers = new Map();
  for (const [file, { imports }] of sources)
    for (const { from } of imports.filter(({ from }) => from.startsWith('.'))) {
      const imported = join(dirname(file), from);
      importers.set(imported, [...(importers.get(imported) ?? []), file]);
    }
  return importers;
}

/** @returns true for a suite whose tests all need the night, and for a helper of such suites alone */
function runsAtNight(file, seen = new Set()) {
  if (seen.has(file)) return true;
  seen.add(file);
  const { isNightSuite } = sources.get(file) ?? {};
  if (/\.test\.tsx?$/.test(file)) return isNightSuite === true;
  const users = importers.get(file) ?? [];
  return users.length > 0 && users.every((user) => runsAtNight(user, seen));
}
