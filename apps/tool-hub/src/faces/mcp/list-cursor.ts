import type { ConnectorId } from '@legate/ids';
import { INVALID_PARAMS } from '@legate/mcp-client';
import { RpcError } from '../../refusals/rpc-error.ts';

/**
 * Returns a cursor that names a connector. The page continues after it, even if connectors were added or removed
 * meanwhile.
 */
export const writeCursor = (connectorId: ConnectorId): string =>
  Buffer.from(`1:${connectorId}`).toString('base64url');

/**
 * @returns the id after which the page begins; undefined: the first page
 * @throws {RpcError} invalid params, for a cursor that the hub did not issue
 */
export function readCursor(cursor: unknown): string | undefined {
  if (cursor === undefined || cursor === null) return undefined;
  const text = typeof cursor === 'string' ? Buffer.from(cursor, 'base64url').toString('latin1') : '';
  const id = /^1:([A-Za-z0-9_.-]{1,128})$/.exec(text)?.[1];
  if (id === undefined) throw new RpcError(INVALID_PARAMS, 'Invalid params: unknown cursor');
  return id;
}
