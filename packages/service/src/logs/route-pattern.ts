import type { Request } from 'express';

/**
 * Returns the path of the route that responded, as it was registered, without the path where its router is mounted. A
 * route with several paths yields all of them. Undefined: no route responded.
 */
export function routePattern(req: Request): string | undefined {
  const path: unknown = req.route?.path;
  if (Array.isArray(path)) return path.join('|');
  return typeof path === 'string' ? path : undefined;
}

/**
 * Returns the mount path of the router that handled the request, as the caller spelt it. Express loses it when an error
 * leaves the router; then it is derived from the rest of the path, otherwise failures would appear as a different
 * route.
 */
export function mountPath(req: Request): string {
  if (req.baseUrl !== '') return req.baseUrl;
  const path: unknown = req.route?.path;
  const [url = ''] = req.originalUrl.split('?', 1);
  // A shortcut for nearly every request, without splitting its path
  if (typeof path === 'string' && slashesIn(path) === slashesIn(url)) return '';
  const asked = segmentsOf(url);
  const mounts = (Array.isArray(path) ? path : [path])
    .filter((pattern): pattern is string => typeof pattern === 'string')
    .map((pattern) => segmentsOf(pattern))
    .filter((pattern) => isEndOf(asked, pattern))
    .map((pattern) => asked.slice(0, asked.length - pattern.length));
  const [shortest = []] = mounts.sort((a, b) => a.length - b.length);
  return shortest.map((segment) => `/${segment}`).join('');
}

function slashesIn(path: string): number {
  let count = 0;
  for (let at = path.indexOf('/'); at !== -1; at = path.indexOf('/', at + 1)) count += 1;
  return count;
}

const segmentsOf = (path: string): string[] => path.split('/').filter((segment) => segment !== '');

function isEndOf(asked: readonly string[], pattern: readonly string[]): boolean {
  const end = asked.slice(asked.length - pattern.length);
  return (
    asked.length >= pattern.length &&
    pattern.every((segment, i) => segment.startsWith(':') || segment.toLowerCase() === end[i]?.toLowerCase())
  );
}
