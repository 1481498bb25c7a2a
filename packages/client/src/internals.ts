import type { Bearer } from './bearer.ts';
import type { SendOptions } from './send.ts';

/** Members of a client that only the adapters of this package need. */
export interface Internals {
  readonly hub: SendOptions;
  readonly bearer: Bearer;
}

const kept = new WeakMap<object, Internals>();

export const keepInternals = (legate: object, internals: Internals): void => void kept.set(legate, internals);

/** @throws {TypeError} for an object that `createClient` has not returned */
export function internalsOf(legate: object): Internals {
  const internals = kept.get(legate);
  if (!internals) throw new TypeError('not a client created by createClient');
  return internals;
}
