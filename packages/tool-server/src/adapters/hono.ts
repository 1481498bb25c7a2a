import type { Context, MiddlewareHandler } from 'hono';
import type { ToolServerAuthInfo } from '../bearer/auth-info.ts';
import { ownPaths } from '../metadata/endpoints.ts';
import type { ToolServer } from '../tool-server.ts';

/** Answers the metadata documents, the keys and the token endpoint. Mount it first. */
export function legate(toolServer: ToolServer): MiddlewareHandler {
  const paths = new Set(ownPaths(toolServer.endpoints));
  return async (c, next) => {
    if (!paths.has(new URL(c.req.url).pathname)) return next();
    const parsedBody = c.req.raw.bodyUsed ? ((await readBefore(c)) ?? null) : undefined;
    const response = await toolServer.handle(c.req.raw, { parsedBody, clientAddress: addressOf(c.env) });
    return response ?? next();
  };
}

/** Lets a request pass whose access token is good and has all `scopes`, with `c.get('auth')`; any other is answered. */
export function requireAccessToken(
  toolServer: ToolServer,
  options?: { scopes?: readonly string[] },
): MiddlewareHandler<{ Variables: { auth: ToolServerAuthInfo } }> {
  return async (c, next) => {
    const caller = await toolServer.authenticate(c.req.raw, options);
    if (caller instanceof Response) return caller;
    c.set('auth', caller);
    return next();
  };
}

/** What Hono keeps of a body that was read; `parseBody` keeps the form data too, with its repeated parameters. */
const readBefore = async ({ req: { bodyCache } }: Context): Promise<unknown> =>
  bodyCache.formData ?? bodyCache.text ?? bodyCache.arrayBuffer ?? bodyCache.json;

/** The peer of the connection, where Hono runs on Node.js. Other platforms: `clientAddress` of the tool server. */
function addressOf(env: unknown): string | undefined {
  const { incoming } = (env ?? {}) as { incoming?: { socket?: { remoteAddress?: string } } };
  return incoming?.socket?.remoteAddress;
}
