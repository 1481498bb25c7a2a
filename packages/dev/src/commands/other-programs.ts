import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { ROOT } from '../stack/services.ts';
import { ENDING_SIGNALS, exitCodeOf } from '../terminal/interruption.ts';

/**
 * Runs a program of another workspace in a separate process, because workspaces do not import each other's programs.
 * Signals are passed on to it, and its exit code becomes the command's.
 */
const programAt =
  (path: string, ...first: readonly string[]) =>
  async (env: NodeJS.ProcessEnv, _stdout: NodeJS.WriteStream, args: readonly string[]): Promise<number> => {
    const child = spawn(process.execPath, [`${ROOT}${path}`, ...first, ...args], { env, stdio: 'inherit' });
    for (const signal of ENDING_SIGNALS) process.on(signal, () => child.kill(signal));
    const [code, signal]: unknown[] = await once(child, 'exit');
    if (typeof code === 'number') return code;
    return exitCodeOf(ENDING_SIGNALS.find((known) => known === signal) ?? 'SIGKILL');
  };

/** `npm run doctor -- <url>`: `legate doctor` */
export const doctor = programAt('packages/cli/bin/legate.js', 'doctor');
/** `npm run bench` */
export const bench = programAt('packages/bench/dist/main.js');
