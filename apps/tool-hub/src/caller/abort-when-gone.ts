import type { Response } from 'express';

/** Aborts when the caller goes away before he has his whole answer. */
export function abortWhenGone(res: Response): AbortController {
  const controller = new AbortController();
  res.once('close', () => {
    if (!res.writableFinished) controller.abort();
  });
  return controller;
}
