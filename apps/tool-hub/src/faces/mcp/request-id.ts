import { isRpcId } from '@legate/mcp-client';

/** An id of a request, or a progress token: JSON text, which is repeated as it was written */
export type RequestId = string;

/**
 * @param value the parsed value
 * @param json the same value as it was written
 * @returns undefined for a value that cannot be an id
 */
export const readId = (value: unknown, json = ''): RequestId | undefined =>
  isRpcId(value, json) ? json : undefined;

/** Returns the same text for equal ids. Integers that JavaScript would round are compared as they are written. */
export function keyOfId(id: RequestId): string {
  const value: unknown = JSON.parse(id);
  return typeof value === 'string' || Number.isSafeInteger(value) ? JSON.stringify(value) : id;
}
