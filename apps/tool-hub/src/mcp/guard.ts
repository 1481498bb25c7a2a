import { RATE_LIMIT_HEADERS } from '@legate/rate-limit';
import cors from 'cors';
import type { RequestHandler } from 'express';
import { AGENT_HEADER } from '../connectors/access.ts';
import { INVALID_REQUEST } from '../upstream/json-rpc.ts';
import { RpcError } from './rpc-error.ts';

const LOOPBACK = ['localhost', '127.0.0.1', '[::1]'];

/**
 * Refuses requests for another `Host`, and from web pages of origins that are not allowed: by DNS rebinding a page could
 * otherwise reach a hub that is not on the internet. Agents that are no browsers send no `Origin`, and pass.
 * @param publicUrl its host name is ours, and all loopback names are when it is one of them
 * @see MCP 2026-07-28, Streamable HTTP, "Security warning"
 */
export function rebindingGuard(publicUrl: string, allowedOrigins: readonly string[]): RequestHandler {
  const { hostname } = new URL(publicUrl);
  const hostnames = LOOPBACK.includes(hostname) ? LOOPBACK : [hostname];
  return (req, _res, next) => {
    const { host, origin } = req.headers;
    if (!hostnames.includes(hostnameOf(host))) throw refused('Host');
    // `null`, the origin of sandboxed pages and of files, is in no list.
    if (origin !== undefined && !allowedOrigins.includes(origin)) throw refused('Origin');
    next();
  };
}

/** Of a `Host` header: without its port, whichever that is behind proxies. */
const hostnameOf = (host: string | undefined): string => (host ?? '').toLowerCase().replace(/:\d*$/, '');

const refused = (header: string): RpcError =>
  new RpcError(INVALID_REQUEST, `Invalid Request: ${header} not allowed`, { status: 403 });

/** Lets pages of allowed origins speak MCP; answers their preflights, which carry no token. */
export const mcpCors = (allowedOrigins: readonly string[]): RequestHandler =>
  cors({
    origin: [...allowedOrigins],
    methods: ['POST'],
    allowedHeaders: [
      ...['Authorization', 'Content-Type', 'Accept', AGENT_HEADER],
      ...['MCP-Protocol-Version', 'Mcp-Session-Id', 'Mcp-Method', 'Mcp-Name', 'traceparent', 'tracestate'],
    ],
    exposedHeaders: ['WWW-Authenticate', 'Mcp-Session-Id', 'X-Request-Id', ...RATE_LIMIT_HEADERS],
    maxAge: 7200,
  });
