import { byPath, mountPaths, routePath } from '@legate/operations';
import { type ErrorRequestHandler, type Express, type RequestHandler, Router } from 'express';
import { problem } from '../../domain/problem-codes.ts';
import { callerOf } from '../../sign-in/authenticate.ts';
import type { HubOperation } from './operation.ts';

const PATH = '/api/v1';

/** Middleware in front of operations */
export interface Gates {
  /** Runs before public operations. */
  readonly cors: RequestHandler;
  /** Runs before all others: authenticates the caller, begins to count the request, reads the body. */
  readonly begin: readonly RequestHandler[];
  /** Waits until the request is counted. */
  readonly awaitCount: RequestHandler;
  /** Runs before operations that do not check for sign-outs themselves. */
  readonly refuseSignedOut: RequestHandler;
  /** Error handlers that every refusal passes through */
  readonly refused: readonly ErrorRequestHandler[];
}

/** Serves the operations below `/api/v1`, each behind the gates that it declares. */
export function mountOperations(app: Express, operations: readonly HubOperation[], gates: Gates): void {
  byPath(operations, gateOf); // throws for two gates on one path before anything is mounted
  const open = Router();
  mount(
    open,
    operations.filter(({ access }) => access === 'public'),
    [gates.cors],
  );
  app.use(PATH, open);

  const others = operations.filter(({ access }) => access !== 'public');
  const api = Router().use(...gates.begin);
  for (const operation of others.filter(({ countedMeanwhile }) => countedMeanwhile))
    api[operation.method](routePath(operation.path, camelCase), ...handlersOf(operation));
  api.use(gates.awaitCount);
  mount(
    api,
    others.filter(({ readsSignOuts }) => readsSignOuts),
  );
  api.use(gates.refuseSignedOut);
  mount(
    api,
    others.filter(({ readsSignOuts }) => !readsSignOuts),
  );
  app.use(PATH, api, ...gates.refused);
}

const gateOf = ({ access, readsSignOuts }: HubOperation): string =>
  access === 'public' ? access : String(readsSignOuts);

/** @param first middleware that runs before an operation, and not for other methods of its path */
const mount = (
  router: Router,
  operations: readonly HubOperation[],
  first: readonly RequestHandler[] = [],
): void =>
  mountPaths(router, operations, {
    handlersOf: (operation) => (operation.countedMeanwhile ? [] : [...first, ...handlersOf(operation)]),
    rename: camelCase,
  });

const handlersOf = ({ access, guards = [], run }: HubOperation): RequestHandler[] => [
  ...(access === 'user' ? [refuseAgents] : []),
  ...guards,
  run,
];

/** @throws {Problem} 403 `insufficient_permission` */
const refuseAgents: RequestHandler = (_req, res, next) => {
  if (callerOf(res).agentId !== undefined)
    throw problem('insufficient_permission', {
      detail: 'Only the user in person may do this, and the session is bound to an agent.',
    });
  next();
};

const camelCase = (name: string): string =>
  name.replace(/_(\w)/g, (_, letter: string) => letter.toUpperCase());
