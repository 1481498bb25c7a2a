import { INVALID_REQUEST } from '@legate/mcp-client';
import { RATE_LIMIT_HEADERS } from '@legate/rate-limit';
import { createRebindingCheck } from '@legate/service';
import cors from 'cors';
import type { RequestHandler } from 'express';
import { AGENT_HEADER } from '../../connectors/access.ts';
import { CALL_ID_HEADER } from '../../domain/call-id.ts';
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

const ALLOWED_HEADERS = [
  ...['Authorization', 'Content-Type', 'Accept', AGENT_HEADER],
  ...['MCP-Protocol-Version', 'Mcp-Session-Id', 'Mcp-Method', 'Mcp-Name', 'Last-Event-ID'],
  ...['traceparent', 'tracestate'],
];
/** Headers that tools choose for their parameters (MCP 2026-07-28). `*` would not cover `Authorization`. */
const PARAM_HEADER = /^mcp-param-[a-z0-9-]{1,64}$/i;
const EXPOSED_HEADERS = [
  ...['WWW-Authenticate', 'Mcp-Session-Id', 'Retry-After', CALL_ID_HEADER, 'X-Request-Id'],
  ...RATE_LIMIT_HEADERS,
];

/** Lets pages of allowed origins speak MCP; answers their preflights, which carry no token. */
export function mcpCors(allowedOrigins: readonly string[]): RequestHandler {
  const handle = cors((req, callback) => {
    const asked = req.headers['access-control-request-headers']?.split(',') ?? [];
    const params = asked.map((name) => name.trim()).filter((name) => PARAM_HEADER.test(name));
    callback(null, {
      origin: [...allowedOrigins],
      methods: ['POST'],
      allowedHeaders: [...ALLOWED_HEADERS, ...params],
      exposedHeaders: EXPOSED_HEADERS,
      maxAge: 7200,
    });
  });
  // Most agents are no pages, and no answer to them may be kept, so none needs to say that it varies by origin.
  return (req, res, next) => (req.headers.origin === undefined ? next() : handle(req, res, next));
}
