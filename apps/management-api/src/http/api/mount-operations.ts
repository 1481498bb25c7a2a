import { byPath, mountPaths } from '@legate/operations';
import { unmatchedRoute } from '@legate/service';
import { type ErrorRequestHandler, type Request, type RequestHandler, type Response, Router } from 'express';
import {
  requirePerson,
  requireRole,
  requireScope,
  requireTokenScope,
} from '../../callers/admission/require-scope.ts';
import { refuseBodyWhileSuspended, refuseWhileSuspended } from '../../callers/admission/while-suspended.ts';
import type { SecurityRule } from '../../callers/limits/count-request.ts';
import { refuseUnacceptableBut } from './acceptable.ts';
import { isScope } from './access.ts';
import { isNegotiated, type Operation, type OperationRuntime } from './operation.ts';
import { packageErrors } from './package-errors.ts';

/** Middleware in front of operations; each list is run after the one before it. */
export interface Gates {
  /** Sets the caller. */
  readonly authenticate: readonly RequestHandler[];
  /** Counts the request, and admits it if organization and membership may act. */
  readonly admit: readonly RequestHandler[];
  /** Counts a request beyond the plan against the reserve, on operations that take rights away. */
  security(rule: SecurityRule): RequestHandler;
  /** Refuses a token without an organization. */
  readonly requireOrganization: readonly RequestHandler[];
  /** Refuses a transaction that is not for this operation. Undefined if `authenticate` accepts no transactions. */
  readonly admitTransaction?: ((operation: Operation) => RequestHandler) | undefined;
}

/**
 * Serves the operations, and 404 for everything else. Other methods at their paths get 405, after the same
 * middleware; HEAD is handled as GET. Checks the token's scope first, then the Accept header, then reads the body.
 */
export function mountOperations(operations: readonly Operation[], options: Gates & OperationRuntime): Router {
  const router = Router();
  const mount = (isMeant: (operation: Operation) => boolean, gate: readonly RequestHandler[] = []) => {
    const handlers = (operation: Operation) => handlersOf(operation, options);
    mountPaths(router, operations.filter(isMeant), { handlersOf: handlers, gate });
  };

  byPath(operations, gateOf); // throws if operations of one path need different access
  mount(({ access }) => access === 'public');
  router.use(...options.authenticate);
  mount(({ access }) => access === 'uncounted');
  router.use(...options.admit);
  mount(({ access }) => access === 'any-token');
  mount(({ access }) => isScope(access), options.requireOrganization);
  router.use(unmatchedRoute);
  return router;
}

const gateOf = ({ access }: Operation): string => (isScope(access) ? 'scope' : access);

function handlersOf(
  operation: Operation,
  runtime: Gates & OperationRuntime,
): (RequestHandler | ErrorRequestHandler)[] {
  const { isSecurity } = operation;
  // An operation that only needs a right to read takes rights away from its caller only.
  const isOwn = operation.access.endsWith(':read');
  return [
    ...(operation.access === 'public' ? [] : [refuseWhileSuspended(operation.whileSuspended)]),
    ...(isScope(operation.access) ? [requireScope(operation.access)] : []),
    ...(operation.minimumRole ? [requireRole(operation.minimumRole)] : []),
    ...(operation.isForPeople ? [requirePerson] : []),
    ...(operation.tokenScope ? [requireTokenScope(operation.tokenScope)] : []),
    ...(isSecurity === true ? [runtime.security({ isOwn })] : []),
    ...(isNegotiated(operation) ? [refuseUnacceptableBut(operation.responses[200]?.streams ?? [])] : []),
    ...(runtime.admitTransaction ? [runtime.admitTransaction(operation)] : []),
    ...operation.guards,
    ...(operation.body?.read() ?? []),
    ...(typeof isSecurity === 'function'
      ? [refuseBodyWhileSuspended(isSecurity), runtime.security({ isOwn, takesRightsAway: isSecurity })]
      : []),
    (req: Request, res: Response) => operation.run(req, res, runtime),
    ...(operation.showProblem ? [packageErrors, operation.showProblem] : []),
  ];
}
