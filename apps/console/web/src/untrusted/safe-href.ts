const LOOPBACK = new Set(['localhost', '127.0.0.1', '[::1]']);

/**
 * Returns an address that a link may lead to: https, or http on loopback, without credentials. `undefined` for all else, such
 * as `javascript:`, which is then shown as text.
 */
export function safeHref(address: string): URL | undefined {
  if (!URL.canParse(address)) return undefined;
  const url = new URL(address);
  if (url.username !== '' || url.password !== '') return undefined;
  if (url.protocol === 'https:') return url;
  return url.protocol === 'http:' && LOOPBACK.has(url.hostname) ? url : undefined;
}
