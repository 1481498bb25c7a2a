import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createWriteStream } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';
import { ROOT, type ServiceName } from './services.ts';

/** The service exited unexpectedly; `lastLines` is the end of its standard error. */
export class ServiceStopped extends Error {
  override readonly name = 'ServiceStopped';
  constructor(
    readonly service: ServiceName,
    readonly lastLines: string,
  ) {
    super(`${service}: ${lastLines || 'stopped without a word'}`);
  }
}

export interface ServiceProcess {
  readonly name: ServiceName;
  readonly pid: number;
  /** Rejects with {@link ServiceStopped} when the process ends without having been asked to. */
  readonly stopped: Promise<never>;
  /** @throws {ServiceStopped} or a time-out */
  waitUntilReady(url: string, timeoutMs: number): Promise<void>;
  /** Sends SIGTERM, and SIGKILL if the process does not end. @returns the exit code; null: a signal ended it */
  stop(): Promise<number | null>;
}

const STOP_TIMEOUT_MS = 15_000;
const POLL_MS = 50;

/**
 * Variables that a process with its own environment needs from ours. By `TMPDIR`, `.ci/run` also recognizes its own
 * processes when it is stopped.
 */
export function machineEnvironment(): Record<string, string> {
  const { PATH = '', TMPDIR } = process.env;
  return TMPDIR === undefined ? { PATH } : { PATH, TMPDIR };
}

/** Starts a built service as a separate process; its log goes to `logFile`. */
export function startService(
  name: ServiceName,
  env: Record<string, string>,
  logFile: string,
): ServiceProcess {
  const log = createWriteStream(logFile, { flags: 'w' });
  const child = spawn(process.execPath, ['--enable-source-maps', `${ROOT}apps/${name}/dist/main.js`], {
    cwd: ROOT,
    // The service gets only its own variables: one from the caller's shell must not change it unnoticed.
    env: { ...machineEnvironment(), NODE_ENV: 'development', ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
    // A separate process group, so that Ctrl-C reaches only the starter, which stops the services in order.
    detached: true,
  });
  const { pid } = child;
  if (pid === undefined) throw new Error(`${name} could not be started`);
  child.stdout?.pipe(log, { end: false });
  child.stderr?.pipe(log, { end: false });
  const lastLines = tailOf(child);

  let asked = false;
  const exited = once(child, 'close');
  const stopped = exited.then((): never => {
    log.end();
    throw new ServiceStopped(name, asked ? 'was stopped' : lastLines());
  });
  stopped.catch(() => {}); // waiting callers get the rejection; without this it would be unhandled if there are none

  return {
    name,
    pid,
    stopped,
    async waitUntilReady(url, timeoutMs) {
      const deadline = performance.now() + timeoutMs;
      while (performance.now() < deadline) {
        const ready = fetch(`${url}/readyz`, { signal: AbortSignal.timeout(2000) }).then(
          (answer) => answer.ok,
          () => false,
        );
        if (await Promise.race([ready, stopped])) return;
        await Promise.race([delay(POLL_MS), stopped]);
      }
      throw new Error(`${name} was not ready after ${timeoutMs / 1000} s; its log is ${logFile}`);
    },
    async stop() {
      asked = true;
      if (child.exitCode !== null || child.signalCode !== null) return child.exitCode;
      child.kill('SIGTERM');
      const kill = setTimeout(() => child.kill('SIGKILL'), STOP_TIMEOUT_MS);
      await exited;
      clearTimeout(kill);
      return child.exitCode;
    },
  };
}

function tailOf(child: ChildProcess): () => string {
  let tail = '';
  child.stderr?.on('data', (chunk: Buffer) => {
    tail = (tail + chunk.toString('utf8')).slice(-2000);
  });
  return () => tail.trim();
}
