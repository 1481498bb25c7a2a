import { setTimeout as delay } from 'node:timers/promises';
import { eventually } from '@legate/testing';

/** Several loops, each of which sends one request after the other until the load is stopped. */
export interface Load {
  /** Waits for this many more responses. @throws the error of a failed request */
  answers(more: number): Promise<void>;
  /** @returns the results of all requests, and the failures */
  stop(): Promise<{ answers: number; failures: string[] }>;
}

const MAX_FAILURES = 5;
/** Processes start meanwhile, on few cores. */
const PATIENCE_MS = 120_000;
/**
 * Pause between a response and the next request of a loop, so that a machine with few cores can start processes
 * meanwhile.
 */
const PAUSE_MS = 50;

/** @param request throws or returns a text if it has failed */
export function startLoad(options: {
  loops: number;
  request: (loop: number, turn: number) => Promise<string | undefined>;
}): Load {
  const failures: string[] = [];
  let answers = 0;
  let stopped = false;
  const loops = Array.from({ length: options.loops }, async (_, loop) => {
    for (let turn = 0; !stopped && failures.length < MAX_FAILURES; turn += 1) {
      const failure = await options
        .request(loop, turn)
        .catch((err: unknown) => `${err}: ${err instanceof Error ? err.cause : ''}`);
      answers += 1;
      if (failure !== undefined) failures.push(failure);
      await delay(PAUSE_MS);
    }
  });
  const ended = Promise.all(loops);
  return {
    async answers(more) {
      const enough = answers + more;
      const isEnough = () => answers >= enough || failures.length >= MAX_FAILURES;
      await eventually(`${more} more answers`, isEnough, { timeoutMs: PATIENCE_MS });
    },
    async stop() {
      stopped = true;
      await ended;
      return { answers, failures };
    },
  };
}
