import type { Request } from 'express';

/** Returns true for a request that takes rights away, or may do so. Called before routing. */
export type IsSecurity = (req: Request) => boolean;

/**
 * Recognizes the requests of some operations by the router's rules: case-insensitive, with an optional trailing
 * slash. Called only for requests that would otherwise be refused or have to wait.
 * @param operations paths of the operations in OpenAPI form
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
