// Adds up what Jest wrote: `collect FILE` after a test run, `print FILE... FAILED` at the end.
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { stripVTControlCharacters } from 'node:util';
import { readResults, removeResults } from '../scripts/test-results.mjs';

const FAILURE_LINES = 20;

const [command, ...args] = process.argv.slice(2);
const commands = { collect, print, 'lock-file': lockFile };
process.exitCode = await commands[command](...args);

/** Every workspace with a test script must have left its results: a suite that did not run is a failure. */
async function collect(file) {
  const { addUp } = await import('../packages/testing/dist/results.js'); // built by then
  const { runs, missing } = readResults();
  const { passed, failed, ran, skipped, failures } = addUp(runs);
  removeResults();
  writeFileSync(
    file,
    JSON.stringify({ passed, failed, ran, skipped: skipped.map(({ name }) => name), failures }),
  );
  for (const workspace of missing) process.stderr.write(`no test results: ${workspace}\n`);
  return missing.length > 0 ? 1 : 0;
}

function print(...args) {
  const stepFailed = args.pop() !== '0';
  const sums = args.filter(existsSync).map((file) => JSON.parse(readFileSync(file, 'utf8')));
  const total = (name) => sums.reduce((sum, run) => sum + run[name], 0);
  const failed =
    total('failed') || (stepFailed || sums.length < args.length || total('passed') === 0 ? 1 : 0);
  // What needs a real server is skipped in one run and done in the other.
  const ran = new Set(sums.flatMap((run) => run.ran));
  const skipped = new Set(sums.flatMap((run) => run.skipped.filter((name) => !ran.has(name))));
  for (const failure of sums.flatMap((run) => run.failures))
    process.stdout.write(`FAILED ${indented(failure)}\n`);
  for (const name of skipped) process.stderr.write(`skipped in every run: ${name}\n`);
  process.stdout.write(
    `${total('passed')} passed, ${failed} failed${skipped.size > 0 ? `, ${skipped.size} skipped` : ''}\n`,
  );
  return failed > 0 ? 1 : 0;
}

/** The name of a failed test and the beginning of why, so that the end of a long log tells what went wrong. */
function indented(failure) {
  return stripVTControlCharacters(failure).split('\n').slice(0, FAILURE_LINES).join('\n    ');
}

/** The lock file must serve everywhere: no registry's address in it, and the binaries of every platform. */
function lockFile() {
  const { packages } = JSON.parse(readFileSync('package-lock.json', 'utf8'));
  const names = new Set(Object.keys(packages).map((path) => path.split('node_modules/').at(-1)));
  const faults = Object.entries(packages).flatMap(([path, { resolved = '', optionalDependencies = {} }]) => [
    ...(resolved.startsWith('http') ? [`${path}: records a download address; see .npmrc`] : []),
    ...Object.keys(optionalDependencies)
      .filter((name) => !names.has(name))
      .map((name) => `${path}: ${name} is missing, so npm ci fails on some machines`),
  ]);
  for (const fault of faults) process.stderr.write(`package-lock.json: ${fault}\n`);
  return faults.length > 0 ? 1 : 0;
}
