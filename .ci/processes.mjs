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
  const env = { ...process.env, TURBO_TELEMETRY_DISABLED: '1', TMPDIR: `${folder}/tmp` };
  for (const name of OF_DEVELOPERS) delete env[name];
  Object.assign(env, settings);
  const log = openSync(`${folder}/log`, 'a');
  const children = new Set();

  function cleanUp() {
    endAll(`TMPDIR=${folder}/`);
    for (const { pid } of children) send('SIGKILL', -pid);
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

/**
 * Ends all descendants of this process, in whatever group they are, where there is a /proc. Those whose parents have ended
 * are found by what their environment has, and so are their descendants. All are stopped before the first is killed: a
 * process whose parent is killed first is nobody's descendant any more.
 * @param mark text in the environment of processes of this run
 */
function endAll(mark) {
  if (!existsSync('/proc/self/stat')) return;
  const stopped = new Set();
  const findNew = () => findStarted(mark).filter((pid) => !stopped.has(pid));
  // Those that run may start others meanwhile.
  for (let found = findNew(); found.length > 0; found = findNew())
    for (const pid of found) {
      send('SIGSTOP', pid);
      stopped.add(pid);
    }
  for (const pid of stopped) send('SIGKILL', pid);
}

/** @returns process ids, none of them before its parent's */
function findStarted(mark) {
  const childrenOf = new Map([[process.pid, []]]);
  const pids = readdirSync('/proc').map(Number).filter(Boolean);
  for (const pid of pids) {
    const parent = isMarked(pid, mark) ? process.pid : parentOf(pid);
    childrenOf.set(parent, [...(childrenOf.get(parent) ?? []), pid]);
  }
  const found = new Set([process.pid]);
  for (const pid of found) for (const child of childrenOf.get(pid) ?? []) found.add(child);
  found.delete(process.pid);
  return [...found];
}

/** @see proc_pid_stat(5): the parent follows the state, which follows the name in parentheses, which may hold any character */
function parentOf(pid) {
  const stat = read(pid, 'stat');
  return Number(stat.slice(stat.lastIndexOf(')') + 1).split(' ')[2]);
}

const isMarked = (pid, mark) => pid !== process.pid && `\0${read(pid, 'environ')}`.includes(`\0${mark}`);

/** @returns empty if the process has ended, or is somebody else's */
function read(pid, file) {
  try {
    return readFileSync(`/proc/${pid}/${file}`, 'utf8');
  } catch {
    return '';
  }
}

/** @param pid negative for a group of processes */
function send(signal, pid) {
  try {
    process.kill(pid, signal);
  } catch {
    // It has ended.
  }
}
