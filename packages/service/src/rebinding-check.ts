import type { IncomingHttpHeaders } from 'node:http';

const LOOPBACK = ['localhost', '127.0.0.1', '[::1]'];

/**
 * Finds requests for another `Host`, and from web pages of origins that are not allowed: by DNS rebinding a page could
 * otherwise reach a server that is not on the internet. Clients that are not browsers send no `Origin` and pass.
 * @param publicUrl its host name is ours, and all loopback names are when it is one of them
 * @returns the header for which a request must be refused
 * @see MCP 2026-07-28, Streamable HTTP, "Security warning"
 */
export function createRebindingCheck(
  publicUrl: string,
  allowedOrigins: readonly string[],
): (headers: IncomingHttpHeaders) => 'Host' | 'Origin' | undefined {
  const { hostname } = new URL(publicUrl);
  const hostnames = LOOPBACK.includes(hostname) ? LOOPBACK : [hostname];
  return ({ host, origin }) => {
    if (!hostnames.includes(hostnameOf(host))) return 'Host';
    // `null`, the origin of sandboxed pages and of files, is in no list.
    return origin === undefined || allowedOrigins.includes(origin) ? undefined : 'Origin';
  };
}

/** A `Host` header without its port, whichever that is behind proxies. */
const hostnameOf = (host: string | undefined): string => (host ?? '').toLowerCase().replace(/:\d*$/, '');
