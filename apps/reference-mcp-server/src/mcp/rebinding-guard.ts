import { localhostAllowedHostnames, validateHostHeader } from '@modelcontextprotocol/server';
import cors from 'cors';
import type { RequestHandler } from 'express';
import { sendJsonRpcError } from './json-rpc-error.ts';

/**
 * Refuses requests for another `Host` and from web pages of origins that are not allowed: by DNS rebinding a page could
 * otherwise reach a server that is not on the internet (MCP transport, security warning). Clients that are no browsers
 * send no `Origin` and pass.
 * @param resource our identifier; its host name is ours, and all loopback names are when it is one of them
 */
export function rebindingGuard(resource: string, allowedOrigins: readonly string[]): RequestHandler {
  const { hostname } = new URL(resource);
  const loopback = localhostAllowedHostnames();
  const hostnames = loopback.includes(hostname) ? loopback : [hostname];
  return (req, res, next) => {
    const { host, origin } = req.headers;
    if (!validateHostHeader(host, hostnames).ok)
      return sendJsonRpcError(res, 403, -32000, 'Host not allowed');
    // `null`, the origin of sandboxed pages and of files, is in no list.
    if (origin !== undefined && !allowedOrigins.includes(origin))
      return sendJsonRpcError(res, 403, -32000, 'Origin not allowed');
    next();
  };
}

/** Lets pages of allowed origins speak MCP; answers their preflights, which carry no token. */
export const mcpCors = (allowedOrigins: readonly string[]): RequestHandler =>
  cors({
    origin: [...allowedOrigins],
    methods: ['GET', 'POST', 'DELETE'],
    allowedHeaders: [
      ...['Authorization', 'Content-Type', 'Accept', 'MCP-Protocol-Version', 'Mcp-Method', 'Mcp-Name'],
      ...['Mcp-Session-Id', 'Last-Event-ID', 'traceparent', 'tracestate'],
    ],
    exposedHeaders: ['WWW-Authenticate', 'Mcp-Session-Id', 'X-Request-Id'],
    maxAge: 7200,
  });
