import type { RequestHandler } from 'express';

/** Knows which requests end by themselves. */
export interface RunningRequests {
  /** Mounted after the body parser */
  readonly count: RequestHandler;
  /** Resolves when only subscriptions are left, which last until somebody ends them. */
  untilOnlyStreams(): Promise<void>;
}

/** Counts running requests. Closing the handler of the MCP SDK aborts its requests, so it must wait for them. */
export function countRunningRequests(): RunningRequests {
  let running = 0;
  let waiting: (() => void)[] = [];
  return {
    count(req, res, next) {
      if (req.body?.method !== 'subscriptions/listen') {
        running += 1;
        res.once('close', () => {
          running -= 1;
          if (running > 0) return;
          for (const resolve of waiting) resolve();
          waiting = [];
        });
      }
      next();
    },
    untilOnlyStreams: () =>
      running === 0 ? Promise.resolve() : new Promise((resolve) => void waiting.push(resolve)),
  };
}
