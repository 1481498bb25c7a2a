import type { NextFunction, Request, Response } from 'express';

/** Counts running requests. Closing the handler of the MCP SDK aborts its requests, so `close` must wait for them. */
export function countRunningRequests() {
  let running = 0;
  let waiting: (() => void)[] = [];
  return {
    /** Counts a request. Mount it after the body parser. */
    count(req: Request, res: Response, next: NextFunction): void {
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
    /** Resolves when only subscriptions are open, which last until they are closed. */
    untilOnlyStreams: (): Promise<void> =>
      running === 0 ? Promise.resolve() : new Promise((resolve) => void waiting.push(resolve)),
  };
}
