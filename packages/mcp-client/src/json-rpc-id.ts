/** Characters of a request id or progress token. The token is repeated in each progress notification. */
export const MAX_ID_LENGTH = 256;

/**
 * Returns true for a valid request id or progress token in MCP: a string or an integer, of any size within the limit,
 * and not `null`.
 * @param json the value's original text, which is repeated unchanged
 */
export const isRpcId = (value: unknown, json: string): boolean =>
  typeof value === 'string'
    ? value.length <= MAX_ID_LENGTH
    : Number.isInteger(value) && json.length <= MAX_ID_LENGTH;
