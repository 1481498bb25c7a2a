import { mcpCors, rebindingGuard } from '@legate/service';
import type { RequestHandler } from 'express';
import { sendJsonRpcError } from './json-rpc-error.ts';

/** Refuses requests that could come from DNS rebinding, and lets pages of allowed origins use MCP. */
export const guardOrigins = (resource: string, allowedOrigins: readonly string[]): RequestHandler[] => [
  rebindingGuard(resource, allowedOrigins, (header, res) =>
    sendJsonRpcError(res, 403, -32000, `${header} not allowed`),
  ),
  mcpCors(allowedOrigins, { methods: ['GET', 'POST', 'DELETE'] }),
];
