/** JSON-RPC 2.0 §5.1 */
export const PARSE_ERROR = -32700;
export const INVALID_REQUEST = -32600;
export const METHOD_NOT_FOUND = -32601;
export const INVALID_PARAMS = -32602;
export const INTERNAL_ERROR = -32603;
/** MCP 2026-07-28: a header is missing, malformed, or contradicts the body. */
export const HEADER_MISMATCH = -32020;
export const CAPABILITY_MISSING = -32021;
export const UNSUPPORTED_VERSION = -32022;

/** @returns undefined for a text that is not a JSON object */
export function parseObject(text: string): Record<string, unknown> | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return isObject(value) ? value : undefined;
  } catch {
    return undefined; // without the parser's message: it would quote the text
  }
}

export const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
