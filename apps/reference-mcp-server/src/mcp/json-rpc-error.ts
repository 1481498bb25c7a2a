import type { Response } from 'express';

/** An answer of the HTTP layer in front of MCP, which knows no request id yet. */
export function sendJsonRpcError(res: Response, status: number, code: number, message: string): void {
  res
    .status(status)
    .set('Cache-Control', 'no-store')
    .json({ jsonrpc: '2.0', error: { code, message }, id: null });
}
