const LOOPBACK = new Set(['localhost', '127.0.0.1', '[::1]']);

/**
 * Returns a URL that is safe to link to: https, or http on loopback, without credentials. `undefined` for all
 * others, such as `javascript:`, which are then shown as text.
 */
export function safeHref(address: string): URL | undefined {
  if (!URL.canParse(address)) return undefined;
  const url = new URL(address);
  if (url.username !== '' || url.password !== '') return undefined;
  if (url.protocol === 'https:') return url;
  return url.protocol === 'http:' && LOOPBACK.has(url.hostname) ? url : undefined;
}
