import { notFound } from '@legate/service';

/** A stored resource with its version. */
export interface Stored<Thing> {
  readonly value: Thing;
  /**
   * Version of the state of the resource. It is sent as `ETag`, and a client returns it as `If-Match` with a
   * change of this state. It is opaque: compare versions only for equality.
   */
  readonly version: string;
}

/**
 * Compares the version of a resource with the version that the caller knows.
 * @param version undefined: the resource does not exist yet
 * @throws {Problem} 412 `version_mismatch`
 */
export type VersionCheck = (version: string | undefined) => void;

/** @param type kind of the resource, such as `site`. @throws {Problem} 404 */
export function existing<Found>(type: string, found: Found | undefined | false): Found {
  if (!found) throw notFound(`There is no such ${type}.`);
  return found;
}

/** Applies a merge patch: its defined members replace the previous ones. */
export function withDefined<Thing extends object>(
  current: Thing,
  patch: { readonly [Field in keyof Thing]?: Thing[Field] | undefined },
): Thing {
  const defined = Object.entries(patch).filter(([, value]) => value !== undefined);
  return { ...current, ...Object.fromEntries(defined) };
}
