import { methodNotAllowed } from '@legate/service';
import type { ErrorRequestHandler, RequestHandler, Router } from 'express';
import { type Declaration, METHODS } from './declaration.ts';

/** Returns a path in Express syntax: `/sites/:site_id`. @param rename renames parameters */
export const routePath = (path: string, rename = (name: string): string => name): string =>
  path.replace(/\{(\w+)\}/g, (_, name: string) => `:${rename(name)}`);

export interface Mounting<Operation extends Declaration> {
  /** Handlers of an operation; none if something in front of the router handles it. */
  handlersOf(operation: Operation): readonly (RequestHandler | ErrorRequestHandler)[];
  /** Run first for any request to the path, whatever its method. */
  readonly gate?: readonly RequestHandler[];
  /** Returns the Express name of a parameter, if that differs from its name in the document */
  readonly rename?: (name: string) => string;
}

/** Adds a route for each path. Other methods get 405, after the same gate; HEAD is handled as GET. */
export function mountPaths<Operation extends Declaration>(
  router: Router,
  operations: readonly Operation[],
  { handlersOf, gate = [], rename }: Mounting<Operation>,
): void {
  for (const [path, ofPath] of byPath(operations)) {
    const route = router.route(routePath(path, rename));
    if (gate.length > 0) route.all(...gate);
    for (const operation of ofPath) {
      const handlers = handlersOf(operation);
      if (handlers.length > 0) route[operation.method](...handlers);
    }
    route.all(methodNotAllowed(allowedMethods(ofPath)));
  }
}

/**
 * @param gateOf returns the name of an operation's gate, which must be the same for all operations of a path
 * @throws {Error} for two operations of one path and method, or of one path behind different gates
 */
export function byPath<Operation extends Declaration>(
  operations: readonly Operation[],
  gateOf: (operation: Operation) => string = () => '',
): Map<string, Operation[]> {
  const paths = new Map<string, Operation[]>();
  for (const operation of operations) {
    const others = paths.get(operation.path) ?? [];
    const isTwice = others.some((other) => other.method === operation.method);
    if (isTwice || others.some((other) => gateOf(other) !== gateOf(operation)))
      throw new Error(
        `${operation.operationId}: its path has another operation of this method, or another gate`,
      );
    paths.set(operation.path, [...others, operation]);
  }
  return paths;
}

function allowedMethods(operations: readonly Declaration[]): string[] {
  return METHODS.filter((method) => operations.some((operation) => operation.method === method)).flatMap(
    (method) => (method === 'get' ? ['GET', 'HEAD'] : [method.toUpperCase()]),
  );
}
