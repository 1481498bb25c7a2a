import { inOnePiece, type Logger } from '@legate/service';
import express, { type ErrorRequestHandler, type RequestHandler } from 'express';
import { isNestedDeeper } from './json-depth.ts';
import { sendJsonRpcError } from './json-rpc-error.ts';

const MAX_BYTES = 262_144;
/** Maximum depth: 64 for a tool's arguments, as the hub allows, and the levels that a message and a batch add. */
const MAX_DEPTH = 64 + 3;

class NestedTooDeeply extends Error {
  override readonly name = 'NestedTooDeeply';
}

/** Limits the size and depth of a body before other code walks it. */
export const mcpBody = (): RequestHandler =>
  inOnePiece(
    MAX_BYTES,
    express.json({
      limit: MAX_BYTES,
      verify(_req, _res, body) {
        if (isNestedDeeper(body, MAX_DEPTH)) throw new NestedTooDeeply();
      },
    }),
  );

/**
 * Handles the errors of the body parser, which are the client's fault if `expose` is set. Mount it last on the MCP
 * endpoint.
 */
export function mcpErrorHandler(log: Logger): ErrorRequestHandler {
  return (err: unknown, _req, res, next) => {
    if (res.headersSent) return next(err);
    if (err instanceof NestedTooDeeply)
      return sendJsonRpcError(res, 400, -32600, 'Invalid Request: nested too deeply');
    if (err instanceof Error && 'expose' in err && err.expose === true && 'status' in err) {
      switch (err.status) {
        case 413:
          return sendJsonRpcError(res, 413, -32000, 'Request body too large');
        case 415:
          return sendJsonRpcError(res, 415, -32000, 'Unsupported encoding or charset');
        default:
          return sendJsonRpcError(res, 400, -32700, 'Parse error: the body is not JSON');
      }
    }
    log.error({ err }, 'mcp request failed');
    sendJsonRpcError(res, 500, -32603, 'Internal error');
  };
}
