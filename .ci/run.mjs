// A run of steps, with their times and the results of their tests.
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
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
   * @param options.env further environment variables
   * @returns whether all went well
   */
  async function step(title, work, { env: more } = {}) {
    process.stdout.write(`\n== ${title}\n`);
    const took = stopwatch();
    const found = typeof work === 'function' ? await work() : await runCommand(work, more);
    const seconds = took();
    times.push({ title, seconds });
    for (const fault of found) process.stdout.write(`FAILED: ${fault}\n`);
    process.stdout.write(`   ${seconds} s\n`);
    faults.push(...found.map((fault) => `${title}: ${fault}`));
    return found.length === 0;
  }

  /** What counts tests writes its numbers to SUM_FILE. */
  async function runCommand([command, ...args], more) {
    const sumFile = join(folder, `sum-${times.length}.json`);
    const status = await spawn(command, args, { env: { SUM_FILE: sumFile, ...more } });
    if (existsSync(sumFile)) sums.push(JSON.parse(readFileSync(sumFile, 'utf8')));
    return status === 0 ? [] : [[command, ...args].join(' ')];
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
    end,
  };
}

/** @returns a function that returns the whole seconds since now */
function stopwatch() {
  const start = performance.now();
  return () => Math.round((performance.now() - start) / 1000);
}
