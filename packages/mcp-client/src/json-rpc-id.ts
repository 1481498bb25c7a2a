/** Characters of a request id or progress token. The token is repeated in each progress notification. */
export const MAX_ID_LENGTH = 256;

/**
 * Returns true for what can be the id of a request in MCP, or a progress token: a text or an integer, of any size within the
 * limit. `null` is none.
 * @param json the value as it was written, which is how it is repeated
 */
export const isRpcId = (value: unknown, json: string): boolean =>
  typeof value === 'string'
    ? value.length <= MAX_ID_LENGTH
    : Number.isInteger(value) && json.length <= MAX_ID_LENGTH;
