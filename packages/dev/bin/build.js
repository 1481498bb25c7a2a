import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

export const ROOT = fileURLToPath(new URL('../../../', import.meta.url));
const TURBO = `${ROOT}node_modules/turbo/bin/turbo`;

/**
 * Builds changed workspaces. If the build fails, ends the process with one line or with the compiler's output.
 * JavaScript, because it runs before anything is built.
 * @param {readonly string[]} workspaces are built with their dependencies; an empty list builds all
 */
export function build(workspaces = []) {
  // Without this check both faults would appear as a stack trace from a dependency
  const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);
  if (major < 20 || (major === 20 && minor < 19))
    stop(`Legate needs Node.js 20.19 or newer, and this is ${process.version}`);
  if (!existsSync(TURBO)) stop('npm ci first: the dependencies are not installed');

  const startedAt = performance.now();
  // Not to stdout, because the command uses it
  const isFirst = !existsSync(`${ROOT}packages/dev/dist`);
  process.stderr.write(
    isFirst ? 'Building, which takes half a minute the first time\n' : 'Building what has changed\n',
  );
  const filters = workspaces.map((name) => `--filter=${name}`);
  const { status, stdout, stderr } = spawnSync(
    process.execPath,
    [TURBO, 'run', 'build', '--output-logs=errors-only', '--log-prefix=none', ...filters],
    { cwd: ROOT, encoding: 'utf8', env: { ...process.env, TURBO_TELEMETRY_DISABLED: '1' } },
  );
  if (status !== 0) stop(`${stdout}\n${stderr}\nThe build failed.`);
  process.stderr.write(`  built in ${((performance.now() - startedAt) / 1000).toFixed(1)} s\n`);
}

function stop(fault) {
  process.stderr.write(`${fault}\n`);
  process.exit(1);
}
