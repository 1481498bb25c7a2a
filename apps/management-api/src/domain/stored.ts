import { notFound } from '@legate/service';

/** A stored resource with its version. */
export interface Stored<Thing> {
  readonly value: Thing;
  /**
   * Different for every state of the resource. It is sent as `ETag`, and returned as `If-Match` with a change of this
   * state. Opaque: compare only for equality.
   */
  readonly version: string;
}

/**
 * Compares the version of a thing with the one that the caller knows; undefined: there is none yet.
 * @throws {Problem} 412 `version_mismatch`
 */
export type VersionCheck = (version: string | undefined) => void;

/** @param type of the thing, as in `site`. @throws {Problem} 404 */
export function existing<Found>(type: string, found: Found | undefined | false): Found {
  if (!found) throw notFound(`There is no such ${type}.`);
  return found;
}

/** Applies a merge patch: its defined members replace the old ones. */
export function withDefined<Thing extends object>(
  current: Thing,
  patch: { readonly [Field in keyof Thing]?: Thing[Field] | undefined },
): Thing {
  const defined = Object.entries(patch).filter(([, value]) => value !== undefined);
  return { ...current, ...Object.fromEntries(defined) };
}
