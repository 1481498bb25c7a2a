import type { NextFunction, Response, Router } from 'express';
import { problem } from '../refusals/problem-codes.ts';
import { callerOf } from './authenticate.ts';

const SERVED_FOR = Symbol('served for');

/** It looks at no parameter of a route, so it fits any. */
type Handler = (req: unknown, res: Response, next: NextFunction) => void;

const serving = (whom: 'user' | 'agents', handler: Handler): Handler =>
  Object.assign(handler, { [SERVED_FOR]: whom });

/**
 * For a route that is its user's alone. The handle of a session that is bound to an agent may be in the hands of a model that
 * is trusted with nothing but the agent's tools.
 * @throws {Problem} 403 `insufficient_permission`
 */
export const forUser = serving('user', (_req, res, next) => {
  if (callerOf(res).agentId !== undefined)
    throw problem('insufficient_permission', {
      detail: 'This is for the user themself, and the session is bound to an agent.',
    });
  next();
});

/** For a route that serves an agent as well, within its bindings. */
export const forAgents = serving('agents', (_req, _res, next) => next());

interface Layer {
  readonly handle: Partial<Router> & { readonly [SERVED_FOR]?: string };
  readonly method?: string;
  readonly route?: { readonly path: unknown; readonly stack: readonly Layer[] };
}

/**
 * Every route says whom it serves, or the hub does not start.
 * @throws {Error} for one that says nothing
 */
export function requireServedFor(router: Router): void {
  for (const { handle, route } of router.stack as unknown as readonly Layer[]) {
    if (handle.stack) requireServedFor(handle as Router);
    for (const { method } of route?.stack ?? []) {
      const says = route?.stack.some((layer) => layer.method === method && layer.handle[SERVED_FOR]);
      // Without a method it is what answers that there is no such method.
      if (method !== undefined && !says)
        throw new Error(`${method.toUpperCase()} ${String(route?.path)} does not say whom it serves`);
    }
  }
}
