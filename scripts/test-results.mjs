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

/**
 * Reads the results of a job of `planTests`. Tests that its `-t` does not match are no part of them; Jest counts these as
 * skipped.
 * @returns `[{folder, results}]`, or undefined if Jest has left none
 */
export function readSelected({ folders, title }, file) {
  if (!existsSync(file)) return undefined;
  const pattern = new RegExp(title ?? '', 'i');
  const isPart = ({ status, fullName }) => status !== 'pending' || pattern.test(fullName);
  const { testResults } = JSON.parse(readFileSync(file, 'utf8'));
  return folders.map((folder) => {
    const suites = testResults
      .filter(({ name }) => name.includes(`/${folder}/`))
      .map((suite) => ({ ...suite, assertionResults: suite.assertionResults.filter(isPart) }));
    const count = (status) =>
      suites.flatMap(({ assertionResults }) => assertionResults).filter((each) => each.status === status)
        .length;
    const results = {
      testResults: suites,
      numPassedTests: count('passed'),
      numFailedTests: count('failed'),
    };
    return { folder, results };
  });
}
