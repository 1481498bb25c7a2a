import type { SignOuts } from '@legate/delegation';
import {
  callerRequestIdOf,
  hasCallersTrace,
  type MemoryBudget,
  type MemoryHold,
  requestOf,
  traceOf,
} from '@legate/service';
import type { Request, RequestHandler, Response } from 'express';
import type { Caller, CallOrigin } from '../domain/caller.ts';
import type { CallerEndpoint, VerifyCaller } from './verify-caller.ts';

declare global {
  namespace Express {
    interface Locals {
      /** The caller and their memory, set by `authenticate` */
      caller?: Caller;
    }
  }
}

/**
 * Authenticates every route that acts for a user. `callerOf(res)` then returns the caller, and the memory of the
 * request counts for them until the response is sent.
 */
export function authenticate(
  verifyCaller: VerifyCaller,
  endpoint: CallOrigin['endpoint'],
  budget: MemoryBudget,
  endpointOf: (req: Request) => CallerEndpoint,
): RequestHandler {
  return async (req, res, next) => {
    const caller = await verifyCaller(req.headers.authorization, endpointOf(req));
    const memory = openUntilClosed(budget, caller, res);
    res.locals.caller = { ...caller, origin: originOf(req, res, endpoint, caller), memory };
    next();
  };
}

function openUntilClosed(budget: MemoryBudget, caller: Caller, res: Response): MemoryHold {
  const memory = budget.open(caller);
  // If the caller disconnected during the verification, no close event will follow.
  if (res.destroyed) memory.close();
  else res.on('close', () => memory.close());
  return memory;
}

/**
 * Records the trace context that a message may carry in the audit trail; `authenticate` has not seen it, because it runs
 * before the body is read.
 */
export const followTrace: RequestHandler = (_req, res, next) => {
  const caller = callerOf(res);
  const { origin } = caller;
  const callerTraceId = hasCallersTrace(res) ? traceOf(res)?.traceId : undefined;
  if (origin && callerTraceId !== origin.callerTraceId)
    res.locals.caller = {
      ...caller,
      origin: { ...origin, traceId: undefined, callerTraceId },
    };
  next();
};

/** Returns the caller that `authenticate` found. */
export function callerOf(res: Response): Caller {
  const { caller } = res.locals;
  if (!caller) throw new Error('authenticate is not mounted before this route');
  return caller;
}

/** Refuses a caller who has signed out. Mount it after `authenticate`, for routes that call no tool. */
export function refuseSignedOut(signOuts: Pick<SignOuts, 'readAndCheck'>): RequestHandler {
  return async (_req, res, next) => {
    await signOuts.readAndCheck(callerOf(res));
    next();
  };
}

/** Counts the memory that the request of that caller uses. */
export const memoryOf = (res: Response): MemoryHold | undefined => callerOf(res).memory;

/** Returns the caller; undefined for a request that was refused before its caller was known. */
export const findCaller = (res: Response): Caller | undefined => res.locals.caller;

function originOf(
  { headers }: Request,
  res: Response,
  endpoint: CallOrigin['endpoint'],
  caller: Pick<Caller, 'agentId'>,
): CallOrigin {
  const request = requestOf(res);
  const requestId = request?.requestId ?? '';
  const { 'legate-agent-id': named } = headers;
  const isCallersTrace = hasCallersTrace(res);
  const traceId = request?.trace?.traceId;
  return {
    endpoint,
    requestId,
    traceId: isCallersTrace ? undefined : (traceId ?? requestId),
    callerRequestId: callerRequestIdOf(res),
    callerTraceId: isCallersTrace ? traceId : undefined,
    agentId: caller.agentId ?? (typeof named === 'string' ? named : undefined),
    isAgentAuthenticated: caller.agentId !== undefined,
  };
}
