import { createRebindingCheck } from '@legate/service';
import cors from 'cors';
import type { RequestHandler } from 'express';
import { sendJsonRpcError } from './json-rpc-error.ts';

/** Refuses what DNS rebinding could send here. */
export function rebindingGuard(resource: string, allowedOrigins: readonly string[]): RequestHandler {
  const check = createRebindingCheck(resource, allowedOrigins);
  return (req, res, next) => {
    const header = check(req.headers);
    if (header) return sendJsonRpcError(res, 403, -32000, `${header} not allowed`);
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
