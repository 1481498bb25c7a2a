import type { Request, RequestHandler, Response } from 'express';
import { isGuess } from './bearer.ts';
import { checkWorkloadScope, type VerifyWorkload, type Workload } from './verify-workload.ts';

declare global {
  namespace Express {
    interface Locals {
      /** The calling service, set by `authenticateWorkload`. */
      workload?: Workload;
    }
  }
}

/**
 * Protects routes that only workloads may call. `workloadOf(res)` then returns the caller.
 * @param deps.onRefusal called for each refused token, to slow down clients that keep failing
 */
export function authenticateWorkload(deps: {
  verify: VerifyWorkload;
  onRefusal?: (req: Request) => Promise<void>;
}): RequestHandler {
  return async (req, res, next) => {
    try {
      res.locals.workload = await deps.verify(req.headers.authorization);
    } catch (err) {
      if (isGuess(err)) await deps.onRefusal?.(req);
      throw err;
    }
    next();
  };
}

export function workloadOf(res: Response): Workload {
  const { workload } = res.locals;
  if (!workload) throw new Error('authenticateWorkload was not mounted in front of this route');
  return workload;
}

export function requireWorkloadScope(scope: string): RequestHandler {
  return (_req, res, next) => {
    checkWorkloadScope(workloadOf(res), scope);
    next();
  };
}
