import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { request } from 'undici';
import type { Exchange } from './load.ts';
import { ProbeAnswer, type ProbeRequest, type Usage } from './probe-messages.ts';

const PROBE = new URL('./probe.js', import.meta.url).href;
const READY_TIMEOUT_MS = 30_000;
const STOP_TIMEOUT_MS = 5000;

/** A program to start: a built JavaScript file that listens on `PORT` at 127.0.0.1. */
export interface Program {
  readonly name: string;
  readonly file: URL;
  readonly env: Readonly<Record<string, string>>;
  /** Path that returns 200 once the program is ready. */
  readonly readyPath: string;
  /** Number of processes to start; default 1 */
  readonly processes?: number;
  /**
   * Called once the program is ready; never measured.
   * @returns a function that adapts requests to this program
   */
  readonly prepare?: (origin: string) => Promise<(exchange: Exchange) => Exchange>;
}

export interface Target {
  readonly name: string;
  readonly origin: string;
  usage(): Promise<Usage>;
  /** Memory of objects and buffers after a garbage collection */
  heldMemoryMb(): Promise<number>;
  startProfile(): Promise<void>;
  /** @param path of the `.cpuprofile` to write */
  stopProfile(path: string): Promise<void>;
  stop(): Promise<void>;
}

/**
 * Starts a program in a new process with nothing of our environment but `PATH`.
 * @throws {Error} with the end of its standard error, if it is not ready within 30 seconds
 */
export async function startTarget(program: Program): Promise<Target> {
  const port = await freePort();
  const origin = `http://127.0.0.1:${port}`;
  const child = spawn(process.execPath, ['--import', PROBE, fileURLToPath(program.file)], {
    env: { PATH: process.env.PATH, NODE_ENV: 'production', PORT: String(port), ...program.env },
    stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
  });
  let complaints = '';
  child.stderr?.on('data', (chunk) => {
    complaints = `${complaints}${String(chunk)}`.slice(-2000);
  });
  const stop = () => stopChild(child);
  try {
    await untilReady(`${origin}${program.readyPath}`, child);
  } catch (err) {
    await stop();
    throw new Error(`${program.name} did not start: ${complaints}`, { cause: err });
  }

  let asked: Promise<unknown> = Promise.resolve();
  /** Sends one request at a time, because replies do not identify their request. */
  const ask = (probeRequest: ProbeRequest): Promise<Usage> => {
    const answer = asked.then(async () => {
      child.send(probeRequest);
      const [message] = await once(child, 'message', { signal: AbortSignal.timeout(READY_TIMEOUT_MS) });
      return ProbeAnswer.parse(message).usage;
    });
    asked = answer;
    return answer;
  };
  return {
    name: program.name,
    origin,
    usage: () => ask({ ask: 'usage' }),
    heldMemoryMb: async () => (await ask({ ask: 'collect-garbage' })).heldMemoryMb,
    startProfile: async () => void (await ask({ ask: 'start-profile' })),
    stopProfile: async (path) => void (await ask({ ask: 'stop-profile', path })),
    stop,
  };
}

async function untilReady(url: string, child: ChildProcess): Promise<void> {
  const deadline = performance.now() + READY_TIMEOUT_MS;
  while (performance.now() < deadline) {
    if (child.exitCode !== null) throw new Error(`it ended with ${child.exitCode}`);
    const status = await request(url).then(
      async (answer) => {
        await answer.body.dump();
        return answer.statusCode;
      },
      () => undefined, // not listening yet
    );
    if (status === 200) return;
    await sleep(50);
  }
  throw new Error('it was not ready in time');
}

async function stopChild(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const ended = once(child, 'exit');
  child.kill('SIGTERM');
  const deadline = setTimeout(() => child.kill('SIGKILL'), STOP_TIMEOUT_MS);
  await ended;
  clearTimeout(deadline);
}

export async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  server.close();
  await once(server, 'close');
  if (typeof address !== 'object' || address === null) throw new Error('no free port');
  return address.port;
}
