import type { NextFunction, Request, Response } from 'express';

/** Counts running requests. Closing the handler of the MCP SDK aborts its requests, so it must wait for them. */
export function countRunningRequests() {
  let running = 0;
  let waiting: (() => void)[] = [];
  return {
    /** Mounted after the body parser */
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
    /** Resolves when only subscriptions are left, which last until somebody ends them. */
    untilOnlyStreams: (): Promise<void> =>
      running === 0 ? Promise.resolve() : new Promise((resolve) => void waiting.push(resolve)),
  };
}
