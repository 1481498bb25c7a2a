import { setTimeout as sleep } from 'node:timers/promises';

/**
 * Runs `work` in the background again and again, never twice at once. Before each run it waits for half of the pause to
 * all of it, so that processes that were started together do not go on together.
 * @param options.onError told when a run fails; the next one comes all the same
 * @returns `stop` resolves when a run that goes on has ended
 */
export function repeat(options: {
  work: (signal: AbortSignal) => Promise<void>;
  pauseMs: number;
  onError: (err: unknown) => void;
}): { stop(): Promise<void> } {
  const { work, pauseMs, onError } = options;
  const stopping = new AbortController();
  const { signal } = stopping;

  async function run(): Promise<void> {
    while (!signal.aborted) {
      const wait = pauseMs * (1 - Math.random() / 2);
      await sleep(wait, undefined, { signal, ref: false }).catch(() => undefined);
      if (!signal.aborted) await work(signal).catch(onError);
    }
  }

  const ended = run();
  return {
    stop() {
      stopping.abort();
      return ended;
    },
  };
}
