/**
 * Adds up results: `{ title, faults, printed }`, or `{ title, leftOut }` for what this machine cannot do. In CI nothing may be
 * left out.
 * @returns what is written to stdout and to stderr, and the numbers, as of a test run
 */
export function summarize(results, isCi) {
  const left = results.filter(({ leftOut }) => leftOut !== undefined);
  const done = results.filter(({ leftOut }) => leftOut === undefined);
  const broken = done.filter(({ faults }) => faults.length > 0);
  const failures = [
    ...broken.flatMap(({ title, faults }) => faults.map((fault) => `${title}: ${fault}`)),
    ...(isCi ? left.map(({ title, leftOut }) => `${title}: left out, ${leftOut}`) : []),
  ];
  const numbers = {
    passed: done.length - broken.length,
    failed: broken.length + (isCi ? left.length : 0),
    ran: done.map(({ title }) => title),
    skipped: [],
    failures,
  };
  const lines = [
    ...done.flatMap(({ title, faults, printed }) =>
      faults.length === 0 && printed ? `${title}: ${printed}` : [],
    ),
    `${numbers.passed} checks of packages passed, ${numbers.failed} failed`,
    ...(left.length > 0 && !isCi ? ['Left out on this machine:'] : []),
    ...(isCi ? [] : left.map(({ title, leftOut }) => `  ${title}: ${leftOut}`)),
  ];
  const written = (each) => each.map((line) => `${line}\n`).join('');
  return { output: written(lines), errors: written(failures), numbers };
}
