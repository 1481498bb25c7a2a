/** An address in three parts: the host is what people look at, and the path says whose page it is where anybody may publish. */
export interface ShownAddress {
  readonly before: string;
  readonly host: string;
  readonly after: string;
}

/** Characters of the path at its beginning and at its end that are shown */
const BEGINNING = 120;
const END = 40;

/**
 * Returns an address as a page shows it. In a long one, `…` replaces the middle of the path or query.
 * @param url https; a URL parser leaves no characters in it but those of RFC 3986 §2
 */
export function shownAddress(url: string): ShownAddress {
  const { protocol, host, pathname, search } = new URL(url);
  const path = `${pathname}${search}`;
  const isLong = path.length > BEGINNING + END + 1;
  const after = isLong ? `${path.slice(0, BEGINNING)}…${path.slice(-END)}` : path;
  return { before: `${protocol}//`, host, after };
}
