import { type ChildProcess, fork } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { type Run, RunResult } from './run.ts';

/** `hung`: no result in time; `died`: the process ended before it had one. */
export type Outcome = RunResult | 'hung' | 'died';

/** Modules that a test has loaded are never freed by Node.js, so a worker is replaced when it has grown. */
const MAX_RESIDENT_BYTES = 1_500_000_000;

export interface WorkerProcess {
  run(run: Run, timeoutMs: number): Promise<Outcome>;
  stop(): void;
}

/** A process that runs test files one after the other, replaced when it hangs, dies or grows. */
export function createWorkerProcess(): WorkerProcess {
  let child: ChildProcess | undefined;
  const stop = () => {
    child?.kill('SIGKILL');
    child = undefined;
  };
  return {
    async run(run, timeoutMs) {
      child ??= start();
      const outcome = await resultOf(child, run, timeoutMs);
      if (typeof outcome === 'string' || outcome.residentBytes > MAX_RESIDENT_BYTES) stop();
      return outcome;
    },
    stop,
  };
}

const start = (): ChildProcess =>
  fork(fileURLToPath(new URL('./worker.js', import.meta.url)), {
    execArgv: ['--experimental-vm-modules', '--disable-warning=ExperimentalWarning'],
    stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
  });

function resultOf(child: ChildProcess, run: Run, timeoutMs: number): Promise<Outcome> {
  return new Promise((resolve) => {
    const settle = (outcome: Outcome) => {
      clearTimeout(timer);
      child.removeAllListeners();
      resolve(outcome);
    };
    const timer = setTimeout(() => settle('hung'), timeoutMs);
    child.once('message', (message) => settle(RunResult.parse(message)));
    child.once('exit', () => settle('died'));
    child.once('error', () => settle('died'));
    child.send(run);
  });
}
