import { Problem, withMembers } from '@legate/service';
import type { ErrorRequestHandler } from 'express';
import { CALL_ID_HEADER } from '../../domain/call-id.ts';
import { authorizationDenial } from '../../refusals/authorization-denial.ts';
import { findCaller } from '../../sign-in/authenticate.ts';

/**
 * Adds the member `authorization` to a problem that denies something. It contains the remedies, in the form that agents
 * get at `/mcp`. Passes each error on.
 */
export const addDenial =
  (publicUrl: string): ErrorRequestHandler =>
  (err: unknown, _req, res, next) => {
    if (!(err instanceof Problem)) return next(err);
    const authorization = authorizationDenial(err, {
      publicUrl,
      callId: res.get(CALL_ID_HEADER),
      agentId: findCaller(res)?.origin?.agentId,
    });
    next(authorization ? withMembers(err, { authorization }) : err);
  };
