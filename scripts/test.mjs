#!/usr/bin/env node
// npm test: builds what changed, runs the tests of every workspace, and closes with what was left out on this machine.
// npm test -- jwt apps/tool-hub/src/sign-in: those of a workspace, and those with this path (CONTRIBUTING.md).
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { resolve, sep } from 'node:path';
import { createInterface } from 'node:readline';
import { USAGE } from '../packages/testing/command/arguments.js';
import { NothingToRun } from '../packages/testing/command/nothing-to-run.js';
import { planTests } from '../packages/testing/command/plan.js';
import { findWorkspaces } from '../packages/testing/command/workspaces.js';
import { PROGRAMS } from '../packages/testing/src/programs.js';
import { readResults, readSelected, removeResults } from './test-results.mjs';

const SLOWEST = 15;
/** A third made browsers and processes wait for so long that tests gave up. */
const LANES = 2;
const PARTS_OF_E2E = 3;
const E2E = '@legate/e2e';
const JEST = createRequire(import.meta.url).resolve('jest/bin/jest');

/** Runs the tests of every workspace. @returns whether all went well, and the results */
async function testAll() {
  removeResults();
  const isGood = await runInLanes([
    // The largest first, so that the lanes end at about the same time
    () => testPartOfE2e(1),
    () => test('@legate/management-api'),
    () => test('@legate/tool-hub'),
    () => testPartOfE2e(2),
    () => testPartOfE2e(3),
    () => test('./packages/*', `!${E2E}`),
    () => test('./apps/*', '!@legate/management-api', '!@legate/tool-hub'),
  ]);
  return { isGood, ...readResults() };
}

/** Runs the tests that were selected. @returns whether all went well, and the results */
async function testSelected(jobs) {
  const files = jobs.map((_, index) => resolve(`test-results/selected-${index}.json`));
  for (const file of files) rmSync(file, { force: true });
  const prefixOf = ({ label }) => (jobs.length > 1 ? `${label}: ` : undefined);
  const isGood = await runInLanes(
    jobs.map((job, index) => () => runJest(argumentsOf(job, files[index]), prefixOf(job))),
  );
  const read = jobs.map((job, index) => readSelected(job, files[index]));
  return {
    isGood,
    runs: read.flatMap((runs) => runs ?? []),
    missing: jobs.filter((_, index) => !read[index]).map(({ label }) => label),
  };
}

const argumentsOf = ({ folders, files, args }, output) => [
  ...args,
  ...['--json', `--outputFile=${output}`, '--projects', ...folders],
  ...(files ? ['--runTestsByPath', ...files] : []),
];

/** Takes one job after the other in each lane until none is left. @returns whether all went well */
async function runInLanes(jobs) {
  const runLane = async () => {
    let good = true;
    for (let job = jobs.shift(); job; job = jobs.shift()) good = (await job()) === 0 && good;
    return good;
  };
  const lanes = await Promise.all(Array.from({ length: LANES }, runLane));
  return lanes.every(Boolean);
}

/** @param filters which workspaces */
const test = (...filters) =>
  turbo(
    'test',
    '--only',
    '--concurrency=1',
    '--continue',
    // A result of an earlier run proves nothing.
    ...(process.env.CI ? ['--force'] : []),
    ...filters.map((filter) => `--filter=${filter}`),
  );

/** A part of the end-to-end tests, which take as long as all others together. */
const testPartOfE2e = (part) =>
  runJest(
    [
      '--json',
      `--outputFile=test-results/jest-${part}.json`,
      '--runInBand',
      `--shard=${part}/${PARTS_OF_E2E}`,
      '--passWithNoTests',
    ],
    `${E2E}:test: `,
    'packages/e2e',
  );

/** @returns the exit code */
async function turbo(...args) {
  const child = spawn('npx', ['--no-install', 'turbo', 'run', ...args], {
    stdio: 'inherit',
    shell: process.platform === 'win32',
  });
  const [status] = await once(child, 'exit');
  return status ?? 1;
}

/** @param prefix of each line; without it, the terminal is Jest's. @returns the exit code */
async function runJest(args, prefix, cwd) {
  const stdio = prefix ? ['ignore', 'pipe', 'pipe'] : 'inherit';
  const child = spawn(process.execPath, [JEST, ...args], { cwd, stdio });
  for (const stream of prefix ? ['stdout', 'stderr'] : [])
    createInterface({ input: child[stream] }).on('line', (line) =>
      process[stream].write(`${prefix}${line}\n`),
    );
  const [status] = await once(child, 'close');
  return status ?? 1;
}

/** Prints the closing lines. @returns whether the run is good */
async function close({ runs, missing }) {
  const { addUp, closingLines, isGood } = await import('../packages/testing/dist/results.js');
  const sum = addUp(runs);
  const installs = Object.fromEntries(Object.entries(PROGRAMS).map(([need, { install }]) => [need, install]));
  const lines = [...closingLines(sum, installs), ...missing.map((folder) => `no test results: ${folder}`)];
  if (process.env.CI) {
    const slowest = sum.files.sort((a, b) => b.seconds - a.seconds).slice(0, SLOWEST);
    lines.push(
      'The slowest files:',
      ...slowest.map(({ file, seconds }) => `${String(seconds).padStart(6)} s  ${file}`),
    );
  }
  if (process.env.SUM_FILE) writeFileSync(process.env.SUM_FILE, JSON.stringify(sum));
  const ranNone = missing.length === 0 && sum.passed + sum.failed === 0;
  if (ranNone)
    lines.push(sum.skipped.length > 0 ? 'No test ran: all are left out.' : 'No test has such a title.');
  process.stdout.write(`\n${lines.join('\n')}\n`);
  return isGood(sum) && missing.length === 0;
}

/** @returns what `planTests` does; ends the process if there is nothing to run */
function planOrExit() {
  if (process.argv.some((arg) => arg === '--help' || arg === '-h')) {
    process.stdout.write(USAGE);
    process.exit(0);
  }
  // An editor copies absolute paths.
  const args = process.argv.slice(2).map((arg) => arg.replace(`${process.cwd()}${sep}`, ''));
  try {
    return planTests(args, findWorkspaces(), { workers: LANES });
  } catch (err) {
    if (!(err instanceof NothingToRun)) throw err;
    process.stderr.write(`${err.message}\n`);
    process.exit(1);
  }
}

const plan = planOrExit();
const filters = plan?.build.map((name) => `--filter=${name}...`) ?? [];
process.exitCode = await turbo('build', '--output-logs=errors-only', ...filters);
if (process.exitCode === 0) {
  const outcome = plan ? await testSelected(plan.jobs) : await testAll();
  process.exitCode = (await close(outcome)) && outcome.isGood ? 0 : 1;
}
