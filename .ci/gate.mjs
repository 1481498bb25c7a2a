// Each test file once, on the Node.js that starts this, with PostgreSQL and Redis. Nothing here depends on speed.
import { execFileSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { checkLockFile } from './lock-file.mjs';
import { missingPrograms } from './programs.mjs';
import { startRun } from './run.mjs';
import { startServers } from './servers.mjs';

const run = startRun({
  CI: 'true',
  // What needs these runs in `.ci/nightly`.
  ALLOWED_TO_MISS: 'night,PgBouncer,promtool,python-mcp',
  // The same values in every run of a commit
  PROPERTY_SEED: String(Number.parseInt(git('rev-parse', 'HEAD').slice(0, 7), 16)),
});

await run.required('programs that tests need', () => missingPrograms(run));
await run.required('lock file serves everywhere', checkLockFile);
await run.required('install', ['npm', 'ci', '--no-audit', '--no-fund']);
await run.required('start PostgreSQL and Redis', () => startServers(run));
await run.required('build', ['npm', 'run', '-s', 'build']);
await run.step('lint', ['npm', 'run', '-s', 'lint']);
await run.step('types', ['npm', 'run', '-s', 'typecheck']);
await run.step('published packages', ['npm', 'run', '-s', 'check:packages', '--', '--offline']);
await run.step('tests', ['npm', 'test', '-s']);
process.exitCode = run.end(note);

/** Records that the commit was checked, so that anybody can see it. */
function note(seconds) {
  if (git('status', '--porcelain') !== '') return;
  const line = [git('rev-parse', 'HEAD'), new Date().toISOString(), `${seconds} s`].join(' ');
  writeFileSync(git('rev-parse', '--git-path', 'gate'), `${line}\n`);
}

function git(...args) {
  return execFileSync('git', args, { encoding: 'utf8' }).trim();
}
