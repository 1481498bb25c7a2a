#!/usr/bin/env node
// npm test: builds what changed, runs the tests of every workspace, and closes with what was left out on this machine.
// Arguments go to Jest: npm test -- --testPathPatterns delegation
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readResults, removeResults } from './test-results.mjs';

const SLOWEST = 15;
/** Two workspaces are tested at a time. These take half of the time: one after the other, beside all others. */
const HALF = ['@legate/e2e', '@legate/mock-idp', '@legate/postgres', '@legate/secure-store'];

const jestArgs = process.argv.slice(2);
// Jest counts the tests that a name does not match as skipped.
const someByName = jestArgs.some((argument) => /^(-t|--testNamePattern)/.test(argument));

/** @returns the exit code */
async function turbo(...args) {
  const options = { stdio: 'inherit', shell: process.platform === 'win32' };
  const [status] = await once(spawn('npx', ['--no-install', 'turbo', 'run', ...args], options), 'exit');
  return status ?? 1;
}

/** @param {readonly string[]} filters which workspaces */
const test = (filters) =>
  turbo('test', '--only', '--concurrency=1', '--continue', ...filters, '--', ...jestArgs);

process.exitCode = await turbo('build', '--output-logs=errors-only');
if (process.exitCode === 0) {
  removeResults();
  const statuses = await Promise.all([
    test(HALF.map((name) => `--filter=${name}`)),
    test(HALF.map((name) => `--filter=!${name}`)),
  ]);
  process.exitCode = (await close()) && statuses.every((status) => status === 0) ? 0 : 1;
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
