import type { Request } from 'express';

/**
 * The path of the route that answered, as it was registered; one of several is written as all of them. It does not begin
 * with where its router is mounted. Undefined: no route did.
 */
export function routePattern(req: Request): string | undefined {
  const path: unknown = req.route?.path;
  if (Array.isArray(path)) return path.join('|');
  return typeof path === 'string' ? path : undefined;
}
