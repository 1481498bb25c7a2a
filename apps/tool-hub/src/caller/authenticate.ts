import type { RequestHandler, Response } from 'express';
import type { Caller } from './caller.ts';
import type { VerifyCaller } from './verify-caller.ts';

/** In front of every route that acts for a user. The caller is then in `callerOf(res)`. */
export function authenticate(verifyCaller: VerifyCaller): RequestHandler {
  return async (req, res, next) => {
    res.locals.caller = await verifyCaller(req.headers.authorization);
    next();
  };
}

/** The caller that `authenticate` found. */
export function callerOf(res: Response): Caller {
  return res.locals.caller as Caller;
}
