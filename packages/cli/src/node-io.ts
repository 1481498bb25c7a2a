import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { constants } from 'node:os';
import { dirname } from 'node:path';
import { createInterface } from 'node:readline/promises';
import { PassThrough } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { findClone } from './commands/in-clone.ts';
import { browserCommand } from './login/browser-command.ts';
import type { Io } from './terminal/io.ts';

const ENDING_SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

/** Returns the terminal, network and clock of a process. */
export function nodeIo({ stdin, stdout, stderr, env, cwd }: NodeJS.Process): Io {
  const interruption = new AbortController();
  for (const signal of ENDING_SIGNALS)
    process.once(signal, () => interruption.abort(new Error(`interrupted by ${signal}`)));
  const { signal } = interruption;
  return {
    stdin,
    stdout,
    stderr,
    env,
    cwd: cwd(),
    clone: () => findClone(cwd()) ?? findClone(dirname(fileURLToPath(import.meta.url))),
    fetch: (...request) => fetch(...request),
    clock: () => new Date(),
    signal,
    async wait(ms) {
      await sleep(ms, undefined, { signal }).catch(() => signal.throwIfAborted());
    },
    async openBrowser(url) {
      const command = browserCommand(url, process.platform, env);
      if (!command) return false;
      const [program, ...args] = command;
      const child = spawn(program, args, { stdio: 'ignore', detached: true });
      child.unref();
      return new Promise((resolve) => {
        child.once('spawn', () => resolve(true));
        child.once('error', () => resolve(false));
      });
    },
    async runNode(path, args) {
      const child = spawn(process.execPath, [path, ...args], { env, stdio: 'inherit' });
      for (const ending of ENDING_SIGNALS) process.on(ending, () => child.kill(ending));
      const [code, ended]: unknown[] = await once(child, 'exit');
      if (typeof code === 'number') return code;
      return 128 + (constants.signals[ended as NodeJS.Signals] ?? constants.signals.SIGKILL);
    },
    async ask(question, { isHidden = false, signal: own = signal } = {}) {
      // readline echoes to its output what is typed.
      if (isHidden) stderr.write(question);
      const output = isHidden ? new PassThrough().resume() : stderr;
      const lines = createInterface({ input: stdin, output, terminal: stdin.isTTY === true, historySize: 0 });
      // In raw mode Ctrl-C is a key, and no signal.
      lines.once('SIGINT', () => interruption.abort(new Error('interrupted by Ctrl-C')));
      // Ctrl-D is one as well, on an empty line. A file that ends is an empty answer.
      const leave = () => stdin.isTTY && interruption.abort(new Error('interrupted by Ctrl-D'));
      lines.once('close', leave);
      const ended = once(lines, 'close').then(() => '');
      try {
        const answer = lines.question(isHidden ? '' : question, { signal: AbortSignal.any([signal, own]) });
        const given = await Promise.race([answer, ended]);
        signal.throwIfAborted();
        return given;
      } finally {
        lines.off('close', leave);
        lines.close();
        if (isHidden) stderr.write('\n');
      }
    },
  };
}
