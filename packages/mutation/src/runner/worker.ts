import { pathToFileURL } from 'node:url';
import { runCLI } from 'jest';
import { z } from 'zod';
import { MUTANT_VARIABLE } from './mutant-variable.ts';
import { Run, type RunResult } from './run.ts';

const Preset = z.looseObject({ transform: z.record(z.string(), z.tuple([z.string(), z.unknown()])) });

const TEST_TIMEOUT_MS = 20_000;
const plugin = (name: string): string => new URL(name, import.meta.url).pathname;

// Leftovers of a mutant, such as an unhandled rejection, must not end the worker.
process.on('unhandledRejection', () => {});
process.on('disconnect', () => process.exit());
process.on('message', (message) => {
  void runTest(Run.parse(message)).then((result) => process.send?.(result));
});

/** Runs one test file in this process, which keeps what it has loaded and compiled. */
async function runTest({ root, workspace, test, mutant }: Run): Promise<RunResult> {
  const rootDir = `${root}/${workspace}`;
  process.chdir(rootDir);
  if (mutant) process.env[MUTANT_VARIABLE] = JSON.stringify(mutant);
  else delete process.env[MUTANT_VARIABLE];
  const module: unknown = await import(pathToFileURL(`${rootDir}/jest.config.js`).href);
  const { transform, ...preset } = Preset.parse(z.object({ default: z.unknown() }).parse(module).default);
  const config = {
    ...preset,
    rootDir,
    // Jest's own runtime loads all modules again for each test file, including the mutant.
    runtime: undefined,
    testEnvironment: plugin('./environment-plugin.js'),
    testEnvironmentOptions: { customExportConditions: ['@legate/source', 'node', 'node-addons'] },
    testTimeout: TEST_TIMEOUT_MS,
    transform: Object.fromEntries(
      Object.entries(transform).map(([pattern, [, options]]) => [
        pattern,
        [plugin('./transform-plugin.js'), options],
      ]),
    ),
    // Jest keeps compiled files by their configuration; this one must not see another mutant's.
    globals: { mutant: mutant?.id ?? '' },
  };
  const startedAt = performance.now();
  const { results } = await runCLI(
    {
      $0: 'mutate',
      _: [`${root}/${test}`],
      config: JSON.stringify(config),
      runTestsByPath: true,
      runInBand: true,
      silent: true,
      reporters: [],
      watchman: false,
    },
    [rootDir],
  );
  const failed = results.testResults
    .flatMap(({ testResults }) => testResults)
    .find(({ status }) => status === 'failed');
  const messages = results.testResults.map(({ failureMessage }) => failureMessage ?? '').join('\n');
  return {
    // Tests that this machine cannot run are left out, and prove nothing.
    passed: results.success && results.numTotalTests > 0,
    failure:
      failed?.fullName ?? (messages.split('\n').find((line) => line.trim() !== '') ?? 'no test ran').trim(),
    timedOut: /Exceeded timeout of/.test(failed?.failureMessages.join('\n') ?? messages),
    ms: performance.now() - startedAt,
    residentBytes: process.memoryUsage.rss(),
  };
}
