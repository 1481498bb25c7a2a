/** The part of Jest's `--json` output that is used here; times are in epoch milliseconds. */
export interface JestResults {
  readonly numPassedTests: number;
  readonly numFailedTests: number;
  readonly testResults: readonly {
    /** Absolute path of the file */
    readonly name: string;
    readonly status: string;
    readonly message: string;
    readonly startTime: number;
    readonly endTime: number;
    readonly assertionResults: readonly {
      readonly fullName: string;
      readonly status: string;
      readonly failureMessages: readonly string[];
    }[];
  }[];
}

export interface Sum {
  passed: number;
  failed: number;
  /** Workspace and title of each test that ran */
  readonly ran: string[];
  /**
   * Skipped tests, by the names that they have in a run that does not skip them, so that they can be found in another
   * run. `needs` is undefined for a test that was skipped without a reason.
   */
  readonly skipped: { readonly name: string; readonly file: string; readonly needs: string | undefined }[];
  /** Workspace, title and messages */
  readonly failures: string[];
  readonly files: { readonly file: string; readonly seconds: number }[];
}

/** Suffix that `needs()` gives the title of a test that it skips, and the titles of the blocks around it */
const LEFT_OUT = / \[left out: ([^\]]+)\]/;
const ALL_LEFT_OUT = new RegExp(LEFT_OUT, 'g');

/** Adds up the results of workspaces, each with its folder (`apps/tool-hub`). */
export function addUp(runs: readonly { folder: string; results: JestResults }[]): Sum {
  const sum: Sum = { passed: 0, failed: 0, ran: [], skipped: [], failures: [], files: [] };
  for (const { folder, results } of runs) {
    sum.passed += results.numPassedTests;
    sum.failed += results.numFailedTests;
    for (const suite of results.testResults) addSuite(sum, folder, suite);
  }
  return sum;
}

function addSuite(sum: Sum, folder: string, suite: JestResults['testResults'][number]): void {
  const file = suite.name.slice(suite.name.indexOf(`${folder}/`));
  sum.files.push({ file, seconds: Math.round((suite.endTime - suite.startTime) / 1000) });
  // A file that could not be loaded counts no test.
  if (suite.status === 'failed' && suite.assertionResults.length === 0) {
    sum.failed += 1;
    sum.failures.push(`${file}\n${suite.message}`);
  }
  for (const { fullName, status, failureMessages } of suite.assertionResults) {
    const name = `${folder}: ${fullName}`;
    if (status === 'pending' || status === 'todo')
      sum.skipped.push({
        name: name.replaceAll(ALL_LEFT_OUT, ''),
        file,
        needs: LEFT_OUT.exec(fullName)?.[1],
      });
    else sum.ran.push(name);
    if (status === 'failed') sum.failures.push(`${name}\n${failureMessages.join('\n')}`);
  }
}

/**
 * Returns the last lines of a run: what passed, and what was skipped and why.
 * @param installs how to install each program that tests need
 */
export function closingLines(sum: Sum, installs: Readonly<Record<string, string>>): string[] {
  const total = `${sum.passed.toLocaleString('en-US')} passed, ${sum.failed.toLocaleString('en-US')} failed.`;
  const reasons = [...new Set(sum.skipped.flatMap(({ needs }) => needs ?? []))].sort();
  const unexplained = sum.skipped.filter(({ needs }) => needs === undefined);
  return [
    reasons.length > 0 ? `${total} Left out on this machine:` : total,
    ...reasons.map((reason) => reasonLine(sum, reason, installs)),
    ...(reasons.length > 0 ? ['`.ci/nightly` runs them.'] : []),
    ...unexplained.map(({ name }) => `skipped without a reason: ${name}`),
  ];
}

function reasonLine(sum: Sum, reason: string, installs: Readonly<Record<string, string>>): string {
  const tests = sum.skipped.filter(({ needs }) => needs === reason);
  const files = new Set(tests.map(({ file }) => file)).size;
  const size = `${plural(tests.length, 'test')}, ${plural(files, 'file')}`;
  const install = reason.split(', ').flatMap((need) => installs[need] ?? []);
  return `  ${reason.padEnd(18)} ${size.padEnd(20)} ${install.join('; ')}`;
}

const plural = (count: number, thing: string): string => `${count} ${thing}${count === 1 ? '' : 's'}`;

/** Returns true if a run succeeded: nothing failed, and nothing was skipped without a reason. */
export const isGood = (sum: Sum): boolean =>
  sum.failed === 0 && sum.passed > 0 && sum.skipped.every(({ needs }) => needs !== undefined);
