// What a run says at its end.
import { stripVTControlCharacters } from 'node:util';

const FAILURE_LINES = 20;

/**
 * Prints what took how long, slowest first, and what failed.
 * @param times `{title, seconds}` of each step
 * @param sums the numbers of each step with tests
 * @param faults of steps, a line each
 * @returns `{passed, failed}`
 */
export function report({ times, sums, faults, seconds }) {
  const bySeconds = times.toSorted((a, b) => b.seconds - a.seconds);
  const failures = sums.flatMap((sum) => sum.failures);
  // What one run leaves out may have been done in another.
  const ran = new Set(sums.flatMap((sum) => sum.ran));
  const leftOut = new Set(
    sums.flatMap(({ skipped }) => skipped.map(({ name }) => name).filter((name) => !ran.has(name))),
  );
  const lines = [
    `\n${seconds} s in all, slowest first:`,
    ...bySeconds.map((step) => `${String(step.seconds).padStart(6)} s  ${step.title}`),
    ...(leftOut.size > 0
      ? [`${leftOut.size} tests were left out, for want of what is listed after the tests.`]
      : []),
    ...failures.map((failure) => `FAILED ${indented(failure)}`),
    ...faults.map((fault) => `FAILED ${fault}`),
  ];
  process.stdout.write(`${lines.join('\n')}\n`);
  const total = (name) => sums.reduce((sum, each) => sum + each[name], 0);
  const nothingRan = total('passed') === 0 ? 1 : 0;
  return { passed: total('passed'), failed: total('failed') || faults.length || nothingRan };
}

/** The name of a failed test and the beginning of why, so that the end of a long log says what went wrong. */
const indented = (failure) =>
  stripVTControlCharacters(failure).split('\n').slice(0, FAILURE_LINES).join('\n    ');
