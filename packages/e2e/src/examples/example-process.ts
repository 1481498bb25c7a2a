import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { resolve } from 'node:path';
import { machineEnvironment, ROOT } from '@legate/dev';
import { eventually, START_UP_MS } from '@legate/testing';

export interface ExampleProcess {
  readonly pid: number;
  /** The output of the process so far */
  output(): string;
  /** Answers the questions of a program in a terminal. */
  type(line: string): void;
  /** Resolves when its output has this text `times` times. */
  says(text: string, times?: number): Promise<void>;
  /** Resolves with its exit code, when it has ended. */
  readonly exited: Promise<number | null>;
  stop(): Promise<void>;
}

/**
 * Starts the built program of an example, with nothing in its environment but this.
 * @param name of the example, or the absolute path of another folder
 * @param options.command replaces the default command, Node.js with the built program
 */
export function startExample(
  name: string,
  env: Readonly<Record<string, string>>,
  options: { nodeArgs?: readonly string[]; command?: readonly [string, ...string[]] } = {},
): ExampleProcess {
  const cwd = resolve(ROOT, 'examples', name);
  const node = [process.execPath, ...(options.nodeArgs ?? []), 'dist/main.js'] as const;
  const [program, ...args] = options.command ?? node;
  const child: ChildProcess = spawn(program, args, { cwd, env: { ...machineEnvironment(), ...env } });
  let output = '';
  let hasEnded = false;
  for (const stream of [child.stdout, child.stderr])
    stream?.on('data', (chunk: Buffer) => {
      output += chunk.toString('utf8');
    });
  const exited = once(child, 'close').then(([code]) => {
    hasEnded = true;
    return code as number | null;
  });
  return {
    pid: child.pid ?? 0,
    output: () => output,
    type: (line) => void child.stdin?.write(`${line}\n`),
    async says(text, times = 1) {
      const isSaid = () => output.split(text).length > times;
      const look = () => {
        if (hasEnded && !isSaid()) throw new Error(`${name} ended before it said "${text}":\n${output}`);
        return isSaid();
      };
      await eventually(`${name} to say "${text}"`, look, { timeoutMs: START_UP_MS });
    },
    exited,
    async stop() {
      child.kill();
      await exited;
    },
  };
}

/** Waits until the example responds at this URL. @throws {Error} if it has ended */
export async function untilAnswers(running: ExampleProcess, url: string): Promise<void> {
  let code: number | null | undefined;
  void running.exited.then((ended) => {
    code = ended;
  });
  const isUp = async () => {
    if (code !== undefined) throw new Error(`ended with ${code}:\n${running.output()}`);
    return fetch(url).then(
      ({ ok }) => ok,
      () => false,
    );
  };
  await eventually(`an answer of the example at ${url}`, isUp, { timeoutMs: START_UP_MS });
}
