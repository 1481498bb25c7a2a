import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as delay } from 'node:timers/promises';
import { ROOT } from '@legate/dev';

export interface ExampleProcess {
  /** What it has written */
  output(): string;
  /** Answers the questions of a program in a terminal. */
  type(line: string): void;
  /** Resolves when it has written this, `times` times. */
  says(text: string, times?: number): Promise<void>;
  /** Resolves with its exit code, when it has ended. */
  readonly exited: Promise<number | null>;
  stop(): Promise<void>;
}

const POLL_MS = 50;

/**
 * Starts the built program of an example, with nothing in its environment but this.
 * @param options.command another one than Node.js with the built program
 */
export function startExample(
  name: string,
  env: Readonly<Record<string, string>>,
  options: { nodeArgs?: readonly string[]; command?: readonly [string, ...string[]] } = {},
): ExampleProcess {
  const cwd = `${ROOT}examples/${name}`;
  const node = [process.execPath, ...(options.nodeArgs ?? []), 'dist/main.js'] as const;
  const [program, ...args] = options.command ?? node;
  const child: ChildProcess = spawn(program, args, { cwd, env: { PATH: process.env.PATH ?? '', ...env } });
  let output = '';
  const waiting = new Set<() => void>();
  for (const stream of [child.stdout, child.stderr])
    stream?.on('data', (chunk: Buffer) => {
      output += chunk.toString('utf8');
      for (const look of waiting) look();
    });
  const exited = once(child, 'close').then(([code]) => code as number | null);
  return {
    output: () => output,
    type: (line) => void child.stdin?.write(`${line}\n`),
    async says(text, times = 1) {
      const isSaid = () => output.split(text).length > times;
      const said = new Promise<void>((resolve) => {
        const look = () => {
          if (isSaid()) resolve();
        };
        waiting.add(look);
        look();
      });
      const ended = exited.then(() => {
        if (!isSaid()) throw new Error(`${name} ended before it said "${text}":\n${output}`);
      });
      await Promise.race([said, ended]);
    },
    exited,
    async stop() {
      child.kill();
      await exited;
    },
  };
}

/** Waits until the example answers there. @throws {Error} it has ended */
export async function untilAnswers(running: ExampleProcess, url: string): Promise<void> {
  let code: number | null | undefined;
  void running.exited.then((ended) => {
    code = ended;
  });
  while (code === undefined) {
    const isUp = await fetch(url).then(
      ({ ok }) => ok,
      () => false,
    );
    if (isUp) return;
    await delay(POLL_MS);
  }
  throw new Error(`ended with ${code}:\n${running.output()}`);
}
