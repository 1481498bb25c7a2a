/** Names of this computer. Programs listen there on whatever port is free (RFC 8252 §7.3). */
const LOOPBACK = new Set(['127.0.0.1', '[::1]', 'localhost']);
const MAX_LENGTH = 512;

export type RedirectTarget = 'web' | 'loopback' | 'private_use';

/**
 * @param nativeSchemes schemes that programs may register for themselves (RFC 8252 §7.1)
 * @returns undefined for a URI that no client may have
 */
export function redirectTargetOf(uri: string, nativeSchemes: readonly string[]): RedirectTarget | undefined {
  const url = URL.parse(uri);
  if (!url || uri.length > MAX_LENGTH || uri.includes('#') || url.username !== '' || url.password !== '')
    return undefined;
  const isLoopback = LOOPBACK.has(url.hostname);
  if (url.protocol === 'https:') return isLoopback ? undefined : 'web';
  if (url.protocol === 'http:') return isLoopback ? 'loopback' : undefined;
  return nativeSchemes.includes(url.protocol.slice(0, -1)) ? 'private_use' : undefined;
}

/**
 * Those of a client's redirect URIs that can be used here. Clients that run in many places list all of them, so one that
 * is useless here does not make the others so.
 */
export const usableRedirectUris = (uris: readonly string[], nativeSchemes: readonly string[]): string[] => [
  ...new Set(
    uris.filter((uri) => redirectTargetOf(uri, nativeSchemes) !== undefined).map(normalizeRedirectUri),
  ),
];

/** A bare loopback origin equals itself with a slash. */
export const normalizeRedirectUri = (uri: string): string =>
  /^http:\/\/(127\.0\.0\.1|\[::1\]|localhost)(:\d+)?$/.test(uri) ? `${uri}/` : uri;

/** Where an answer goes, as users are told: a host, or undefined for a program on this computer */
export function redirectHostOf(uri: string): string | undefined {
  const { protocol, hostname, host } = new URL(uri);
  return protocol === 'https:' && !LOOPBACK.has(hostname) ? host : undefined;
}

/** What the policy of a page with a form must allow for a redirect to `uri` (CSP Level 3 §4.1) */
export function formActionOf(uri: string): string {
  const { protocol, origin } = new URL(uri);
  return protocol === 'https:' || protocol === 'http:' ? origin : protocol;
}
