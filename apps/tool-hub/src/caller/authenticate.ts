import type { Request, RequestHandler, Response } from 'express';
import type { Caller, CallOrigin } from './caller.ts';
import type { VerifyCaller } from './verify-caller.ts';

/** In front of every route that acts for a user. The caller is then in `callerOf(res)`. */
export function authenticate(verifyCaller: VerifyCaller, door: CallOrigin['door']): RequestHandler {
  return async (req, res, next) => {
    const caller = await verifyCaller(req.headers.authorization);
    res.locals.caller = { ...caller, origin: originOf(req, res, door) } satisfies Caller;
    next();
  };
}

/** The caller that `authenticate` found. */
export function callerOf(res: Response): Caller {
  return res.locals.caller as Caller;
}

/** W3C Trace Context §3.2: version, trace id, parent id, flags; later versions may add to it. */
const TRACEPARENT = /^(?!ff)[0-9a-f]{2}-(?!0{32})([0-9a-f]{32})-[0-9a-f]{16}-[0-9a-f]{2}(?:$|-)/;

function originOf({ headers }: Request, res: Response, door: CallOrigin['door']): CallOrigin {
  const requestId = String(res.getHeader('X-Request-Id') ?? '');
  const { traceparent, 'legate-agent-id': agentId } = headers;
  const trace = typeof traceparent === 'string' ? TRACEPARENT.exec(traceparent)?.[1] : undefined;
  return {
    door,
    requestId,
    traceId: trace ?? requestId,
    agentId: typeof agentId === 'string' ? agentId : undefined,
  };
}
