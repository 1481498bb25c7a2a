import { isLoopbackHost } from './production.ts';

const MAX_LENGTH = 512;
/**
 * RFC 3986 §2. URL parsers correct or drop other characters, so the URI that is checked would differ from the URI that
 * is used.
 */
const CHARACTERS = /^[A-Za-z0-9\-._~:/?[\]@!$&'()*+,;=%]+$/;
/** Hosts that a page's content security policy can contain: `;` and `,` would end the source. */
const WEB_HOST = /^([a-z0-9.-]+|\[[0-9a-f:]+\])$/;
/** Names of this computer under which programs listen, on whatever port is free (RFC 8252 §7.3). */
const LOOPBACK_ORIGIN = /^http:\/\/(127\.0\.0\.1|\[::1\]|localhost)(:\d+)?(?=[/?]|$)/;

export type RedirectTarget = 'web' | 'loopback' | 'private_use';

/**
 * @param nativePrefixes beginnings of redirect URIs that open programs (RFC 8252 §7.1), such as `cursor://host/oauth/`.
 * A whole scheme would be too much: programs also use theirs for other URIs, such as those that install something
 * @returns undefined for a URI that no client may have
 */
export function redirectTargetOf(uri: string, nativePrefixes: readonly string[]): RedirectTarget | undefined {
  const url = URL.parse(uri);
  if (!url || uri.length > MAX_LENGTH || !CHARACTERS.test(uri) || url.username !== '' || url.password !== '')
    return undefined;
  if (uri.startsWith('https://'))
    return WEB_HOST.test(url.hostname) && !isLoopbackHost(url.hostname) ? 'web' : undefined;
  if (LOOPBACK_ORIGIN.test(uri)) return 'loopback';
  return nativePrefixes.some((prefix) => isBelow(uri, prefix)) ? 'private_use' : undefined;
}

/**
 * A prefix ends with a whole segment of the path, and no segment below it is `..`. It is unknown what programs decode,
 * and how often: so the path below the prefix has no encoded characters, and no segment has parameters (`..;a`).
 */
function isBelow(uri: string, prefix: string): boolean {
  if (!uri.startsWith(prefix)) return false;
  const rest = uri.slice(prefix.length);
  const isWholePart = prefix.endsWith('/') || rest === '' || /^[/?]/.test(rest);
  return isWholePart && !/^[^?]*[%;]/.test(rest) && !/(^|[/?])\.{1,2}($|[/?])/.test(rest);
}

/**
 * Returns those of a client's redirect URIs that can be used here. Clients that run in many places list all of them, so a URI
 * that is useless here does not make the others useless.
 */
export const usableRedirectUris = (uris: readonly string[], nativePrefixes: readonly string[]): string[] => [
  ...new Set(
    uris.filter((uri) => redirectTargetOf(uri, nativePrefixes) !== undefined).map(normalizeRedirectUri),
  ),
];

/** A bare loopback origin equals itself with a slash, which oidc-provider keeps apart. */
export const normalizeRedirectUri = (uri: string): string =>
  LOOPBACK_ORIGIN.exec(uri)?.[0] === uri ? `${uri}/` : uri;

/**
 * Returns the place to which a response goes, as shown to users: a host, or undefined for a program on this computer
 */
export const redirectHostOf = (uri: string): string | undefined =>
  uri.startsWith('https://') ? new URL(uri).host : undefined;

/** Returns the source that the policy of a page with a form must allow for a redirect to `uri` (CSP Level 3 §4.1) */
export function formActionOf(uri: string): string {
  const { protocol, origin } = new URL(uri);
  return protocol === 'https:' || protocol === 'http:' ? origin : protocol;
}
