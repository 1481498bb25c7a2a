import type { Bearer } from './bearer.ts';
import type { SendOptions } from './send.ts';

/** What the adapters of this package need of a client, and programs do not. */
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
