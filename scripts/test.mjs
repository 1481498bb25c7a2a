#!/usr/bin/env node
// npm test: builds what changed, runs the tests of every workspace, and closes with what was left out on this machine.
// Arguments go to Jest: npm test -- --testPathPatterns delegation
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { readResults, removeResults } from './test-results.mjs';

const SLOWEST = 15;
/** A third made browsers and processes wait for so long that tests gave up. */
const LANES = 2;
const PARTS_OF_E2E = 3;
const E2E = '@legate/e2e';

const jestArgs = process.argv.slice(2);
// Jest counts the tests that a name does not match as skipped.
const someByName = jestArgs.some((argument) => /^(-t|--testNamePattern)/.test(argument));

/** @returns the exit code */
async function run(args, options = {}) {
  const child = spawn('npx', ['--no-install', ...args], {
    stdio: 'inherit',
    shell: process.platform === 'win32',
    ...options,
  });
  const [status] = await once(child, 'exit');
  return status ?? 1;
}

const turbo = (...args) => run(['turbo', 'run', ...args]);

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
    '--',
    ...jestArgs,
  );

/** A part of the end-to-end tests, which take as long as all others together. */
async function testPartOfE2e(part) {
  const output = ['--json', `--outputFile=test-results/jest-${part}.json`];
  const args = [
    'jest',
    ...output,
    '--runInBand',
    `--shard=${part}/${PARTS_OF_E2E}`,
    '--passWithNoTests',
    ...jestArgs,
  ];
  const child = spawn('npx', ['--no-install', ...args], {
    cwd: 'packages/e2e',
    stdio: ['ignore', 'pipe', 'pipe'],
    shell: process.platform === 'win32',
  });
  for (const stream of ['stdout', 'stderr'])
    createInterface({ input: child[stream] }).on('line', (line) =>
      process[stream].write(`${E2E}:test: ${line}\n`),
    );
  const [status] = await once(child, 'close');
  return status ?? 1;
}

/** The largest first, so that the lanes end at about the same time. */
const jobs = [
  () => testPartOfE2e(1),
  () => test('@legate/management-api'),
  () => test('@legate/tool-hub'),
  () => testPartOfE2e(2),
  () => testPartOfE2e(3),
  () => test('./packages/*', `!${E2E}`),
  () => test('./apps/*', '!@legate/management-api', '!@legate/tool-hub'),
];

/** Takes one job after the other until none is left. @returns whether all went well */
async function runLane() {
  let good = true;
  for (let job = jobs.shift(); job; job = jobs.shift()) good = (await job()) === 0 && good;
  return good;
}

process.exitCode = await turbo('build', '--output-logs=errors-only');
if (process.exitCode === 0) {
  removeResults();
  const lanes = await Promise.all(Array.from({ length: LANES }, runLane));
  process.exitCode = (await close()) && lanes.every(Boolean) ? 0 : 1;
}

/** Prints the closing lines. @returns whether the run is good */
async function close() {
  const { addUp, closingLines, isGood } = await import('../packages/testing/dist/results.js');
  const { PROGRAMS } = await import('../packages/testing/dist/programs.js');
  const { runs, missing } = readResults();
  const sum = addUp(runs);
  if (someByName) sum.skipped.length = 0;
  const installs = Object.fromEntries(Object.entries(PROGRAMS).map(([need, { install }]) => [need, install]));
  const lines = [...closingLines(sum, installs), ...missing.map((folder) => `no test results: ${folder}`)];
  if (process.env.CI) {
    const slowest = sum.files.sort((a, b) => b.seconds - a.seconds).slice(0, SLOWEST);
    lines.push(
      'The slowest files:',
      ...slowest.map(({ file, seconds }) => `${String(seconds).padStart(6)} s  ${file}`),
    );
  }
  process.stdout.write(`\n${lines.join('\n')}\n`);
  return isGood(sum) && missing.length === 0;
}
