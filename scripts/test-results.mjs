// Where Jest leaves its results: a file for each workspace, or one for each part of its tests.
import { existsSync, readdirSync, readFileSync, rmSync } from 'node:fs';

const ROOTS = ['apps', 'packages'];

/** Every workspace that has tests, with the files that Jest has written there. */
function tested() {
  return ROOTS.flatMap((root) => readdirSync(root).map((name) => `${root}/${name}`))
    .filter((folder) => JSON.parse(readFileSync(`${folder}/package.json`, 'utf8')).scripts?.test)
    .map((folder) => ({ folder, files: filesIn(`${folder}/test-results`) }));
}

function filesIn(folder) {
  if (!existsSync(folder)) return [];
  return readdirSync(folder)
    .filter((name) => /^jest(-\d+)?\.json$/.test(name))
    .map((name) => `${folder}/${name}`);
}

/** Removes the results of an earlier run, so that they are not taken for the next one's. */
export function removeResults() {
  for (const { files } of tested()) for (const file of files) rmSync(file);
}

/** @returns `{runs: [{folder, results}], missing}`; `missing` are the folders that left none */
export function readResults() {
  const all = tested();
  return {
    runs: all.flatMap(({ folder, files }) =>
      files.map((file) => ({ folder, results: JSON.parse(readFileSync(file, 'utf8')) })),
    ),
    missing: all.filter(({ files }) => files.length === 0).map(({ folder }) => folder),
  };
}
