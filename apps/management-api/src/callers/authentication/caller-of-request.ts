import type { Response } from 'express';
import type { Caller } from '../../domain/caller.ts';

declare global {
  namespace Express {
    interface Locals {
      caller?: Caller;
    }
  }
}

export function setCaller(res: Response, caller: Caller): void {
  res.locals.caller = caller;
}

/** Returns the authenticated caller of a request. */
export function callerOf(res: Response): Caller {
  const { caller } = res.locals;
  if (!caller) throw new Error('the request was not authenticated');
  return caller;
}
