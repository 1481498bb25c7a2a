import type { Response } from 'express';

/** Sends an error of the HTTP layer before MCP, where the request id is not yet known. */
export function sendJsonRpcError(res: Response, status: number, code: number, message: string): void {
  res
    .status(status)
    .set('Cache-Control', 'no-store')
    .json({ jsonrpc: '2.0', error: { code, message }, id: null });
}
