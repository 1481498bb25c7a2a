import { isLoopback } from '../directory/loopback.ts';

/**
 * Returns the permitted targets of a page's forms. Chromium applies `form-action` to every redirect after the
 * submission, and ours end at the client's redirect URI, from where the client may redirect to `redirectOrigins`.
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
  // A host name may contain characters that end a directive, or the policy.
  return [...sources].filter((source) => !/[;,]/.test(source));
}

const WILDCARD_PORT = /^https?:\/\/[A-Za-z0-9.-]+:\*$/;

function sourcesOf(url: URL): string[] {
  if (!['http:', 'https:'].includes(url.protocol)) return [url.protocol]; // an app's own scheme
  // A host source cannot contain an IPv6 address, so only the scheme is given.
  return isLoopback(url) && url.hostname === '[::1]' ? ['http:'] : [url.origin];
}
