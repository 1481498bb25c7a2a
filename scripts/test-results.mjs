// Where Jest leaves its results, one file for each workspace.
import { existsSync, readdirSync, readFileSync, rmSync } from 'node:fs';

/** Every workspace that has tests, with the file that Jest writes there. */
function tested() {
  return ['apps', 'packages']
    .flatMap((folder) => readdirSync(folder).map((name) => `${folder}/${name}`))
    .filter((folder) => JSON.parse(readFileSync(`${folder}/package.json`, 'utf8')).scripts?.test)
    .map((folder) => ({ folder, file: `${folder}/test-results/jest.json` }));
}

/** Removes the results of an earlier run, so that they are not taken for the next one's. */
export function removeResults() {
  for (const { file } of tested()) rmSync(file, { force: true });
}

/** @returns `{runs: [{folder, results}], missing}`; `missing` are the folders that left none */
export function readResults() {
  const all = tested();
  return {
    runs: all
      .filter(({ file }) => existsSync(file))
      .map(({ folder, file }) => ({ folder, results: JSON.parse(readFileSync(file, 'utf8')) })),
    missing: all.filter(({ file }) => !existsSync(file)).map(({ folder }) => folder),
  };
}
