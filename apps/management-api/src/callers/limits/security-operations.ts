import type { Request } from 'express';

/** Returns true for a request that takes rights away, or may do so, before it is routed. */
export type IsSecurity = (req: Request) => boolean;

/**
 * Recognizes the requests of some operations, by the same rules as the router: no case, and perhaps a slash at the end. It
 * is asked only about requests that would else be refused or have to wait.
 * @param operations their paths in OpenAPI form
 */
export function createIsSecurity(operations: readonly { method: string; path: string }[]): IsSecurity {
  const patterns = new Map<string, RegExp>();
  for (const method of new Set(operations.map((operation) => operation.method))) {
    const paths = operations
      .filter((operation) => operation.method === method)
      .map(({ path }) => path.replace(/\{\w+\}/g, '[^/]+'));
    patterns.set(method.toUpperCase(), new RegExp(`^(?:${paths.join('|')})/?$`, 'i'));
  }
  return ({ method, path }) => patterns.get(method)?.test(path) ?? false;
}
