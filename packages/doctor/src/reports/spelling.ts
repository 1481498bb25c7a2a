/**
 * Describes how two identifiers differ that people and URL libraries may consider equal. Issuers and resources are
 * compared as strings (RFC 8414 §3.3, RFC 9728 §3.3, RFC 3986 §6.2.1), so one byte matters.
 * @returns undefined if they are the same string
 */
export function describeDifference(given: string, expected: string): string | undefined {
  if (given === expected) return undefined;
  const [one, other] = [withoutSlash(given), withoutSlash(expected)];
  if (one === other) return 'it differs only by a trailing slash';
  if (given.toLowerCase() === expected.toLowerCase()) return 'it differs only in upper and lower case';
  if (one.toLowerCase() === other.toLowerCase())
    return 'it differs by a trailing slash and in upper and lower case';
  const [a, b] = [parse(given), parse(expected)];
  if (!a || !b) return 'it is not a URL';
  if (withoutSlash(a.href) === withoutSlash(b.href))
    return 'it differs only in its spelling, such as a default port or an escaped character';
  if (a.protocol !== b.protocol && a.host === b.host) return `it has ${a.protocol} instead of ${b.protocol}`;
  if (a.origin === b.origin) return 'it has another path';
  return a.hostname === b.hostname ? 'it has another port' : 'it has another host';
}

const withoutSlash = (url: string): string => url.replace(/\/+$/, '');

const parse = (url: string): URL | undefined => (URL.canParse(url) ? new URL(url) : undefined);
