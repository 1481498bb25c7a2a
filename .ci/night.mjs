// Everything that the gate leaves out: what takes long, what measures, both kinds of stores, and each supported Node.js.
import { addPromtool, addPythonSdk, missingPrograms } from './programs.mjs';
import { startRun } from './run.mjs';
import { startServers } from './servers.mjs';

/**
 * Programs that may be missing: neither npm nor Debian 12 has a recent enough PgBouncer, and not every machine reaches PyPI.
 */
const ALLOWED_TO_MISS = 'PgBouncer,python-mcp';
const INTEGRATION = String.raw`\.int\.test\.ts$`;
const ALL_OF_E2E_BUT_THE_STACK = 'e2e/src/(?!whole-stack)';

// Without a seed: property tests try other values each night.
const run = startRun({ CI: 'true', ALLOWED_TO_MISS });
const tests = (...args) => ['npm', 'test', '-s', '--', ...args];
const withoutLongTests = { ALLOWED_TO_MISS: `${ALLOWED_TO_MISS},night` };
const onEmbeddedStores = { TEST_DATABASE_URL: undefined, TEST_REDIS_URL: undefined };
const nodes = `${run.folder}/nodes`;
/** What might differ is single functions, so long tests and most cases of properties are left out. */
const onNode = (major) => ({
  ...onEmbeddedStores,
  CI: undefined,
  PATH: `${nodes}/node_modules/node${major}/bin:${run.env.PATH}`,
});

await run.required('programs that tests need', () => missingPrograms(run));
await run.required('install', ['npm', 'ci', '--no-audit', '--no-fund']);
await run.required('Node.js 22 and 24', installNodes);
await run.step('promtool', () => addPromtool(run));
await run.step('the MCP SDK for Python, where PyPI is reached', () => addPythonSdk(run));
await run.required('start PostgreSQL and Redis', () => startServers(run));
await run.required('build', ['npm', 'run', '-s', 'build']);

await run.step('published packages, in projects of those who use them', [
  ...['npm', 'run', '-s', 'check:packages', '--', '--nodes', nodes],
]);
await run.step('all tests, PostgreSQL and Redis', tests(), { env: { LONG_TESTS: 'true' } });
await run.step('integration tests, embedded stores', tests('--testPathPatterns', INTEGRATION), {
  env: { ...onEmbeddedStores, ...withoutLongTests },
});
await run.step('tests, Node.js 24', tests('--testPathIgnorePatterns', ALL_OF_E2E_BUT_THE_STACK), {
  env: onNode(24),
});
await run.step('unit tests, Node.js 22', ['npm', 'run', '-s', 'test:unit'], { env: onNode(22) });
await run.step('no path costs twice what it did', ['npm', 'run', '-s', 'bench', '--', '--guard']);
// The tests of the gate must notice them.
await run.step('mutants of the security core', ['npm', 'run', '-s', 'mutate'], { env: withoutLongTests });
process.exitCode = run.end();

/** Packages of npm that hold the binary and nothing else, so no install script has to run. */
async function installNodes() {
  const name = `node-${process.platform}-${process.arch}`;
  const versions = ['22', '24'].map((major) => `node${major}@npm:${name}@${major}`);
  const flags = ['--ignore-scripts', '--no-audit', '--no-fund', '--loglevel', 'error'];
  const status = await run.spawn('npm', ['install', '--prefix', nodes, ...flags, ...versions]);
  return status === 0 ? [] : ['npm has no such package for this machine'];
}
