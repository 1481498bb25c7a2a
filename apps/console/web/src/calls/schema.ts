/** A JSON Schema that is not a boolean, or a part of one */
export type Schema = Readonly<Record<string, unknown>>;

export const isSchema = (value: unknown): value is Schema =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/**
 * Returns what a reference leads to, if it is a pointer into the schema itself; undefined for any other.
 * @see RFC 6901 §6
 */
export function referred(reference: unknown, root: unknown): unknown {
  const [start, ...names] = String(reference).split('/');
  if (start !== '#') return undefined;
  return names
    .map((name) => decoded(name)?.replaceAll('~1', '/').replaceAll('~0', '~'))
    .reduce<unknown>(
      (at, name) => (name !== undefined && isSchema(at) && Object.hasOwn(at, name) ? at[name] : undefined),
      root,
    );
}

/** Undefined for an invalid percent-encoding, such as `%E0` alone */
function decoded(text: string): string | undefined {
  try {
    return decodeURIComponent(text);
  } catch {
    return undefined;
  }
}
