import { INVALID_REQUEST } from '@legate/mcp-client';
import { RATE_LIMIT_HEADERS } from '@legate/rate-limit';
import { mcpCors, rebindingGuard } from '@legate/service';
import type { RequestHandler } from 'express';
import { AGENT_HEADER } from '../../connectors/access.ts';
import { CALL_ID_HEADER } from '../../domain/call-id.ts';
import { RpcError } from '../../refusals/rpc-error.ts';

/** Refuses requests that DNS rebinding could cause, and lets pages of allowed origins use MCP. */
export const guardOrigins = (publicUrl: string, allowedOrigins: readonly string[]): RequestHandler[] => [
  rebindingGuard(publicUrl, allowedOrigins, (header) => {
    throw new RpcError(INVALID_REQUEST, `Invalid Request: ${header} not allowed`, { status: 403 });
  }),
  mcpCors(allowedOrigins, {
    methods: ['POST'],
    allowedHeaders: [AGENT_HEADER],
    exposedHeaders: ['Retry-After', CALL_ID_HEADER, ...RATE_LIMIT_HEADERS],
  }),
];
