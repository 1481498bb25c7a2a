// A run of steps, with their times and the results of their tests.
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { readResults, removeResults } from '../scripts/test-results.mjs';
import { openProcesses } from './processes.mjs';
import { report } from './report.mjs';

/** @param settings environment variables of all steps */
export function startRun(settings) {
  const { folder, env, start, spawn, cleanUp } = openProcesses(settings);
  const since = stopwatch();
  const times = [];
  const sums = [];
  const faults = [];

  /**
   * @param work a command, or a function that returns faults
   * @param options.tests it runs `npm test`, whose results count
   * @param options.sum a file to which it writes its numbers of tests
   * @param options.env further environment variables
   * @returns whether all went well
   */
  async function step(title, work, { tests = false, sum, env: more } = {}) {
    process.stdout.write(`\n== ${title}\n`);
    const took = stopwatch();
    if (tests) removeResults();
    const found = typeof work === 'function' ? await work() : await runCommand(work, more);
    if (tests) found.push(...(await collect()));
    if (sum && existsSync(sum)) sums.push(JSON.parse(readFileSync(sum, 'utf8')));
    const seconds = took();
    times.push({ title, seconds });
    for (const fault of found) process.stdout.write(`FAILED: ${fault}\n`);
    process.stdout.write(`   ${seconds} s\n`);
    faults.push(...found.map((fault) => `${title}: ${fault}`));
    return found.length === 0;
  }

  const runCommand = async ([command, ...args], more) =>
    (await spawn(command, args, { env: more })) === 0 ? [] : [[command, ...args].join(' ')];

  /** Every workspace with a test script must have left its results: a suite that did not run is a fault. */
  async function collect() {
    const { addUp } = await import('../packages/testing/dist/results.js'); // built by then
    const { runs, missing } = readResults();
    const { skipped, ...sum } = addUp(runs);
    sums.push({ ...sum, skipped: skipped.map(({ name }) => name) });
    removeResults();
    return missing.map((workspace) => `no test results: ${workspace}`);
  }

  /**
   * Prints times and results, and ends whatever the steps have left behind.
   * @param onGreen gets the seconds of the run, if nothing failed
   * @returns the exit code
   */
  function end(onGreen) {
    const seconds = since();
    const { passed, failed } = report({ times, sums, faults, seconds });
    cleanUp();
    if (failed === 0) onGreen?.(seconds);
    process.stdout.write(`${passed} passed, ${failed} failed\n`);
    return failed === 0 ? 0 : 1;
  }

  return {
    folder,
    env,
    start,
    spawn,
    step,
    /** A step without which the others are pointless */
    async required(...args) {
      if (!(await step(...args))) process.exit(end());
    },
    sumFile: (name) => join(folder, `${name}.json`),
    end,
  };
}

/** @returns a function that returns the whole seconds since now */
function stopwatch() {
  const start = performance.now();
  return () => Math.round((performance.now() - start) / 1000);
}
