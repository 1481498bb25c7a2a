import { INVALID_REQUEST } from '@legate/mcp-client';
import { RATE_LIMIT_HEADERS } from '@legate/rate-limit';
import { createRebindingCheck } from '@legate/service';
import cors from 'cors';
import type { RequestHandler } from 'express';
import { AGENT_HEADER } from '../../connectors/access.ts';
import { RpcError } from '../../refusals/rpc-error.ts';

/** Refuses what DNS rebinding could send here. */
export function rebindingGuard(publicUrl: string, allowedOrigins: readonly string[]): RequestHandler {
  const check = createRebindingCheck(publicUrl, allowedOrigins);
  return (req, _res, next) => {
    const header = check(req.headers);
    if (header)
      throw new RpcError(INVALID_REQUEST, `Invalid Request: ${header} not allowed`, { status: 403 });
    next();
  };
}

/** Lets pages of allowed origins speak MCP; answers their preflights, which carry no token. */
export function mcpCors(allowedOrigins: readonly string[]): RequestHandler {
  const handle = cors({
    origin: [...allowedOrigins],
    methods: ['POST'],
    allowedHeaders: [
      ...['Authorization', 'Content-Type', 'Accept', AGENT_HEADER],
      ...['MCP-Protocol-Version', 'Mcp-Session-Id', 'Mcp-Method', 'Mcp-Name', 'traceparent', 'tracestate'],
    ],
    exposedHeaders: ['WWW-Authenticate', 'Mcp-Session-Id', 'X-Request-Id', ...RATE_LIMIT_HEADERS],
    maxAge: 7200,
  });
  // Most agents are no pages, and no answer to them may be kept, so none needs to say that it varies by origin.
  return (req, res, next) => (req.headers.origin === undefined ? next() : handle(req, res, next));
}
