import { jsonAnswer, type RequestHeaders, toResponse } from './plain.ts';

/**
 * Returns a check that responds 403 to a web page that may not call, before its token is verified. Programs send no
 * `Origin`. A page at a loopback address may call a server at a loopback address: both run on the same machine.
 * @param allowed origins of pages; the server's own needs no entry. `any`: the application decides itself
 * @see MCP, Transports, "Security Warning"
 */
export function createOriginCheck(
  resource: string,
  allowed: readonly string[] | 'any' = [],
): (request: RequestHeaders) => Response | undefined {
  if (allowed === 'any') return () => undefined;
  const own = new URL(resource);
  const known = new Set([own.origin, ...allowed.map(originOf)]);
  const isKnown = (origin: string) => known.has(origin) || (isLoopback(own.origin) && isLoopback(origin));
  return ({ headers }) => {
    const origin = headers.get('origin');
    return origin === null || isKnown(origin) ? undefined : toResponse(jsonAnswer(403, REFUSAL, NO_STORE));
  };
}

/**
 * URLs of other schemes have the origin `null` for a parser, which is also what every sandboxed page sends.
 * @throws {TypeError} for what is no URL
 */
function originOf(url: string): string {
  const { origin } = new URL(url);
  return origin === 'null' ? url : origin;
}

const isLoopback = (origin: string): boolean =>
  URL.canParse(origin) &&
  /^(?:localhost|.+\.localhost|127(?:\.\d{1,3}){3}|\[::1\])$/.test(new URL(origin).hostname);

const NO_STORE = { 'Cache-Control': 'no-store' };
/** A JSON-RPC error without an id, as MCP specifies for a request that was not read */
const REFUSAL = { jsonrpc: '2.0', error: { code: -32000, message: 'Origin not allowed' }, id: null };
