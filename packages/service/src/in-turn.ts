import type { NextFunction, RequestHandler } from 'express';

/**
 * Combines several handlers into one that runs them in turn. For handlers in front of every route: each layer of a
 * router costs about a microsecond, since it matches the path.
 */
export function inTurn<Params = Record<string, string | string[]>>(
  ...handlers: readonly RequestHandler<Params>[]
): RequestHandler<Params> {
  return (req, res, next) => {
    let at = 0;
    const goOn: NextFunction = (err?: unknown) => {
      if (err !== undefined) return next(err);
      const handler = handlers[at];
      at += 1;
      if (!handler) return next();
      try {
        const returned: unknown = handler(req, res, goOn);
        if (returned instanceof Promise) returned.catch(next);
      } catch (thrown) {
        next(thrown);
      }
    };
    goOn();
  };
}
