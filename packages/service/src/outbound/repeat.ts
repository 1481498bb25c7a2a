import { setTimeout as sleep } from 'node:timers/promises';

/**
 * Runs `work` in the background repeatedly, never twice at once. Before each run it waits for between half of the pause
 * and all of it, so that processes started together drift apart.
 * @param options.onError called if a run fails; further runs follow
 * @returns `stop` resolves when the current run has ended
 */
export function repeat(options: {
  work: (signal: AbortSignal) => Promise<unknown>;
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
