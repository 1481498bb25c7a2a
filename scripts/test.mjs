#!/usr/bin/env node
// npm test: builds what changed, runs the tests of every workspace, and closes with what was left out on this machine.
// Arguments go to Jest: npm test -- --testPathPatterns delegation
import { spawnSync } from 'node:child_process';
import { readResults, removeResults } from './test-results.mjs';

const SLOWEST = 15;

const jestArgs = process.argv.slice(2);
// Jest counts the tests that a name does not match as skipped.
const someByName = jestArgs.some((argument) => /^(-t|--testNamePattern)/.test(argument));

/** @returns the exit code */
const turbo = (...args) =>
  spawnSync('npx', ['--no-install', 'turbo', 'run', ...args], {
    stdio: 'inherit',
    shell: process.platform === 'win32',
  }).status ?? 1;

process.exitCode = turbo('build', '--output-logs=errors-only');
if (process.exitCode === 0) {
  removeResults();
  const status = turbo('test', '--only', '--concurrency=2', '--continue', '--', ...jestArgs);
  process.exitCode = (await close()) && status === 0 ? 0 : 1;
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
