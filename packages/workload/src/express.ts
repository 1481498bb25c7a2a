import { Problem } from '@legate/service';
import type { Request, RequestHandler, Response } from 'express';
import { checkWorkloadScope, type VerifyWorkload, type Workload } from './verify-workload.ts';

/**
 * In front of every route for workloads, and of nothing else. Who calls is then in `workloadOf(res)`.
 * @param deps.onRefusal told of each failed authentication, to slow down who keeps failing
 */
export function authenticateWorkload(deps: {
  verify: VerifyWorkload;
  onRefusal?: (req: Request) => Promise<void>;
}): RequestHandler {
  return async (req, res, next) => {
    try {
      res.locals.workload = await deps.verify(req.headers.authorization);
    } catch (err) {
      if (err instanceof Problem && err.status < 500) await deps.onRefusal?.(req);
      throw err;
    }
    next();
  };
}

export function workloadOf(res: Response): Workload {
  return res.locals.workload as Workload;
}

export function requireWorkloadScope(scope: string): RequestHandler {
  return (_req, res, next) => {
    checkWorkloadScope(workloadOf(res), scope);
    next();
  };
}
