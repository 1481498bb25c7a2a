/** Returns true if a redirect URI belongs to a native application on the user's own machine (RFC 8252 §7.3). */
export function isLoopback(url: URL): boolean {
  return url.protocol === 'http:' && ['localhost', '127.0.0.1', '[::1]'].includes(url.hostname);
}
