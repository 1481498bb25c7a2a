// Kills a test process whose event loop is blocked. Jest's timeouts cannot do this, because they need the event loop.
import { writeSync } from 'node:fs';
import { url as debuggerUrl } from 'node:inspector';
import { fileURLToPath } from 'node:url';
import { isMainThread, Worker, workerData } from 'node:worker_threads';

const SECONDS = Number(process.env.BLOCKED_TEST_SECONDS ?? 300);
const NAME_BYTES = 1024;

/**
 * Starts a thread that kills this process when it has not responded for {@link SECONDS}, unless it is being debugged.
 * @returns a function to set the test file that is running
 */
export function startWatchdog() {
  const beats = new Int32Array(new SharedArrayBuffer(4));
  const name = new Uint8Array(new SharedArrayBuffer(NAME_BYTES));
  if (debuggerUrl() === undefined) {
    new Worker(fileURLToPath(import.meta.url), { workerData: { beats, name }, execArgv: [] }).unref();
    setInterval(() => Atomics.add(beats, 0, 1), 1000).unref();
  }
  return (testFile) => {
    name.fill(0);
    new TextEncoder().encodeInto(testFile, name);
  };
}

function watch({ beats, name }) {
  let seen = 0;
  let still = 0;
  setInterval(() => {
    const beat = Atomics.load(beats, 0);
    still = beat === seen ? still + 1 : 0;
    seen = beat;
    if (still < SECONDS) return;
    const file = new TextDecoder().decode(name.slice(0, name.indexOf(0)));
    writeSync(2, `${file}: the process has not answered for ${SECONDS} s, and is killed\n`);
    process.kill(process.pid, 'SIGKILL');
  }, 1000);
}

if (!isMainThread) watch(workerData);
