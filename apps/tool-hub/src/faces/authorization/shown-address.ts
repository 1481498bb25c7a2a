/** A URL in three parts. People look at the host; on a shared host, the path shows whose page it is. */
export interface ShownAddress {
  readonly before: string;
  readonly host: string;
  readonly after: string;
}

/** Characters of the path that are shown at its beginning and at its end */
const BEGINNING = 120;
const END = 40;

/**
 * Returns an address as a page shows it. In a long one, `…` replaces the middle of the path or query.
 * @param url https URL; a URL parser leaves only the characters of RFC 3986 §2 in it
 */
export function shownAddress(url: string): ShownAddress {
  const { protocol, host, pathname, search } = new URL(url);
  const path = `${pathname}${search}`;
  const isLong = path.length > BEGINNING + END + 1;
  const after = isLong ? `${path.slice(0, BEGINNING)}…${path.slice(-END)}` : path;
  return { before: `${protocol}//`, host, after };
}
