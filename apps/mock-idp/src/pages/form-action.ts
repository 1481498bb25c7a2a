import { isLoopback } from '../directory/loopback.ts';

/**
 * Returns the permitted targets of a page's forms. Chromium applies `form-action` to every redirect after the
 * submission. Our redirects end at the client's redirect URI, which may redirect further to `redirectOrigins`.
 * @returns sources for the `form-action` directive (CSP Level 3 §6.4.1)
 */
export function formActionSources(
  redirectUri: string | undefined,
  redirectOrigins: readonly string[] = [],
): string[] {
  const sources = new Set(["'self'"]);
  for (const target of [redirectUri, ...redirectOrigins]) {
    if (target === undefined) continue;
    // A host source with a port wildcard cannot be parsed as a URL; it comes from our own configuration.
    if (WILDCARD_PORT.test(target)) sources.add(target);
    else if (URL.canParse(target)) for (const source of sourcesOf(new URL(target))) sources.add(source);
  }
  // A host name may contain characters that end a directive or the whole policy.
  return [...sources].filter((source) => !/[;,]/.test(source));
}

const WILDCARD_PORT = /^https?:\/\/[A-Za-z0-9.-]+:\*$/;

function sourcesOf(url: URL): string[] {
  if (!['http:', 'https:'].includes(url.protocol)) return [url.protocol]; // a private-use URI scheme
  // A host source cannot be an IPv6 address, so only the scheme is allowed.
  return isLoopback(url) && url.hostname === '[::1]' ? ['http:'] : [url.origin];
}
