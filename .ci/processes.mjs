// The processes and temporary files of a run, all of which end with it.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  readdirSync,
  readFileSync,
  rmSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/**
 * Names the folder of the run in the environment of its processes, so that those that have left their group are found, but
 * for servers that write their titles over their environment.
 */
const MARK = 'LEGATE_CHECK_FOLDER';
/** What a developer has set for `npm test` is not meant for these runs. */
const OF_DEVELOPERS = [
  ...['TEST_DATABASE_URL', 'TEST_REDIS_URL', 'DATABASE_URL', 'REDIS_URL'],
  ...['LONG_TESTS', 'PROPERTY_RUNS', 'PROPERTY_SEED'],
];
const EXIT_CODES = { SIGHUP: 129, SIGINT: 130, SIGTERM: 143 };

/**
 * @param settings environment variables of all processes
 * @returns `folder`; `env`, which steps may add to; `start()`; `spawn()`; and `cleanUp()`, which also happens when this
 *   process ends early: by a signal, or an error of its own
 */
export function openProcesses(settings) {
  const folder = mkdtempSync(join(tmpdir(), 'legate-check-'));
  // PostgreSQL runs as another user.
  chmodSync(folder, 0o755);
  mkdirSync(`${folder}/tmp`);
  chmodSync(`${folder}/tmp`, 0o1777);
  const env = { ...process.env, TURBO_TELEMETRY_DISABLED: '1', TMPDIR: `${folder}/tmp`, [MARK]: folder };
  for (const name of OF_DEVELOPERS) delete env[name];
  Object.assign(env, settings);
  const log = openSync(`${folder}/log`, 'a');
  const children = new Set();

  function cleanUp() {
    for (const { pid } of children) endProcess(-pid);
    endMarked(`${MARK}=${folder}\0`);
    rmSync(folder, { recursive: true, force: true, maxRetries: 10, retryDelay: 100 });
  }

  for (const [signal, code] of Object.entries(EXIT_CODES))
    process.on(signal, () => {
      process.stdout.write(`\nstopped by ${signal}\n`);
      process.exit(code);
    });
  process.on('exit', cleanUp);

  /** Starts a process that ends with the run, if not before. */
  function start(command, args, { quiet = false, cwd, env: more = {} } = {}) {
    const child = spawn(command, args, {
      cwd,
      env: { ...env, ...more },
      stdio: ['ignore', ...(quiet ? [log, log] : ['inherit', 'inherit'])],
      detached: true, // a group of its own: Ctrl-C reaches this process alone, which then ends all others
    });
    children.add(child);
    child.once('exit', () => children.delete(child));
    return child;
  }

  /** Runs a process to its end. @returns the exit code */
  async function run(...args) {
    const child = start(...args);
    const notFound = once(child, 'error').then(() => [127]);
    const [code] = await Promise.race([once(child, 'exit'), notFound]);
    return code ?? 1;
  }

  return { folder, env, start, spawn: run, cleanUp };
}

/** Ends all processes with this mark, where /proc shows the environment of processes. */
function endMarked(mark) {
  if (!existsSync('/proc/self/environ')) return;
  const find = () => readdirSync('/proc').filter((name) => Number(name) && isMarked(name, mark));
  // A process may start another one meanwhile.
  for (let found = find(); found.length > 0; found = find()) for (const pid of found) endProcess(Number(pid));
}

function isMarked(pid, mark) {
  if (Number(pid) === process.pid) return false;
  try {
    return readFileSync(`/proc/${pid}/environ`, 'latin1').includes(mark);
  } catch {
    return false; // It has ended, or is somebody else's.
  }
}

/** @param pid negative for a group of processes */
function endProcess(pid) {
  try {
    process.kill(pid, 'SIGKILL');
  } catch {
    // It has ended.
  }
}
