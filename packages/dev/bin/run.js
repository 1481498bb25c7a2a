#!/usr/bin/env node
// Runs before anything is built, so it is JavaScript: builds what changed, then runs the command.
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const [command = 'start', ...args] = process.argv.slice(2);
// What a command needs of all that could be built
const filters = command === 'doctor' ? ['--filter=@legate/dev', '--filter=@legate/tool-hub'] : [];

const root = fileURLToPath(new URL('../../../', import.meta.url));
const turbo = `${root}node_modules/turbo/bin/turbo`;

// Both would else show as a stack trace of somebody else's
const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);
if (major < 20 || (major === 20 && minor < 19))
  stop(`Legate needs Node.js 20.19 or newer, and this is ${process.version}`);
if (!existsSync(turbo)) stop('npm ci first: the dependencies are not installed');

const startedAt = performance.now();
// Not to stdout, which belongs to the command
process.stderr.write('Building what has changed\n');
const build = spawnSync(
  process.execPath,
  [turbo, 'run', 'build', '--output-logs=errors-only', '--log-prefix=none', ...filters],
  { cwd: root, encoding: 'utf8', env: { ...process.env, TURBO_TELEMETRY_DISABLED: '1' } },
);
if (build.status !== 0) {
  process.stderr.write(`${build.stdout}\n${build.stderr}\nThe build failed.\n`);
  process.exit(1);
}
process.stderr.write(`  built in ${((performance.now() - startedAt) / 1000).toFixed(1)} s\n`);
const { main } = await import('../dist/main.js');
await main(command, args);

function stop(fault) {
  process.stderr.write(`${fault}\n`);
  process.exit(1);
}
