import cors from 'cors';
import type { RequestHandler, Response } from 'express';

/** The header because of which a request is refused */
export type RebindingFault = 'Host' | 'Origin';

const LOOPBACK = ['localhost', '127.0.0.1', '[::1]'];

/**
 * Refuses requests for another `Host`, and those of web pages of origins that are not allowed: by DNS rebinding a page
 * could otherwise reach a server that is not on the internet. Clients that are not browsers send no `Origin` and pass.
 * @param publicUrl its host name is allowed, and if it is a loopback name, so are all loopback names
 * @param refuse answers the request, or throws
 * @see MCP 2026-07-28, Streamable HTTP, "Security warning"
 */
export function rebindingGuard(
  publicUrl: string,
  allowedOrigins: readonly string[],
  refuse: (header: RebindingFault, res: Response) => void,
): RequestHandler {
  const { hostname } = new URL(publicUrl);
  const hostnames = LOOPBACK.includes(hostname) ? LOOPBACK : [hostname];
  return (req, res, next) => {
    const { host, origin } = req.headers;
    if (!hostnames.includes(hostnameOf(host))) return refuse('Host', res);
    // `null`, the origin of sandboxed pages and of files, is in no list.
    if (origin !== undefined && !allowedOrigins.includes(origin)) return refuse('Origin', res);
    next();
  };
}

/** A `Host` header without its port, whichever that is behind proxies. */
const hostnameOf = (host: string | undefined): string => (host ?? '').toLowerCase().replace(/:\d*$/, '');

const ALLOWED_HEADERS = [
  ...['Authorization', 'Content-Type', 'Accept', 'MCP-Protocol-Version', 'Mcp-Session-Id', 'Mcp-Method'],
  ...['Mcp-Name', 'Last-Event-ID', 'traceparent', 'tracestate'],
];
/** Headers that tools choose for their parameters (MCP 2026-07-28). `*` would not cover `Authorization`. */
const PARAM_HEADER = /^mcp-param-[a-z0-9-]{1,64}$/i;
const EXPOSED_HEADERS = ['WWW-Authenticate', 'Mcp-Session-Id', 'X-Request-Id'];

/** Headers of an endpoint in addition to those of MCP */
export interface McpCorsOptions {
  readonly methods: readonly string[];
  readonly allowedHeaders?: readonly string[];
  readonly exposedHeaders?: readonly string[];
}

/** Lets pages of allowed origins speak MCP; answers their preflights, which carry no token. */
export function mcpCors(
  allowedOrigins: readonly string[],
  { methods, allowedHeaders = [], exposedHeaders = [] }: McpCorsOptions,
): RequestHandler {
  const handle = cors((req, callback) => {
    const asked = req.headers['access-control-request-headers']?.split(',') ?? [];
    const params = asked.map((name) => name.trim()).filter((name) => PARAM_HEADER.test(name));
    callback(null, {
      origin: [...allowedOrigins],
      methods: [...methods],
      allowedHeaders: [...ALLOWED_HEADERS, ...allowedHeaders, ...params],
      exposedHeaders: [...EXPOSED_HEADERS, ...exposedHeaders],
      maxAge: 7200,
    });
  });
  // Most clients are not pages, and no response may be cached, so none needs `Vary: Origin`.
  return (req, res, next) => (req.headers.origin === undefined ? next() : handle(req, res, next));
}
