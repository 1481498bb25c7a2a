import type { IncomingMessage } from 'node:http';
import type { Context, MiddlewareHandler } from 'hono';
import type { ToolServerAuthInfo } from '../bearer/auth-info.ts';
import { toResponse } from '../http/plain.ts';
import { ownPaths } from '../metadata/endpoints.ts';
import type { ToolServer } from '../tool-server.ts';

/** Serves the metadata documents, the keys and the token endpoint. Mount it first. */
export function legate(toolServer: ToolServer): MiddlewareHandler {
  const paths = new Set(ownPaths(toolServer.endpoints));
  return async (c, next) => {
    const { pathname } = new URL(c.req.url);
    if (!paths.has(pathname)) return next();
    const incoming = incomingOf(c);
    if (incoming) {
      // As a web stream, Node.js would queue each chunk of the body, however small.
      const { plainOf } = await import('./node-http.ts');
      const answer = await toolServer.answer(plainOf(incoming, pathname, undefined), {
        clientAddress: addressOf(c.env),
      });
      return answer ? toResponse(answer) : next();
    }
    const parsedBody = c.req.raw.bodyUsed ? ((await readBefore(c)) ?? null) : undefined;
    const response = await toolServer.handle(c.req.raw, { parsedBody, clientAddress: addressOf(c.env) });
    return response ?? next();
  };
}

/** Lets a request pass if its access token is valid and has all `scopes`, and sets `c.get('auth')`; refuses any other. */
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

/** Hono's cache of a body that was read; `parseBody` also caches the form data, with repeated parameters. */
const readBefore = async ({ req: { bodyCache } }: Context): Promise<unknown> =>
  bodyCache.formData ?? bodyCache.text ?? bodyCache.arrayBuffer ?? bodyCache.json;

/** The request of node:http, if Hono runs on Node.js and nobody has read the body */
function incomingOf({ env, req }: Context): IncomingMessage | undefined {
  const { incoming } = (env ?? {}) as { incoming?: Partial<IncomingMessage> };
  const isUntouched = incoming?.readableDidRead === false && !req.raw.bodyUsed;
  return isUntouched && typeof incoming.on === 'function' ? (incoming as IncomingMessage) : undefined;
}

/**
 * Address of the peer of the connection, if Hono runs on Node.js. On other platforms, set `clientAddress` of the tool
 * server.
 */
function addressOf(env: unknown): string | undefined {
  const { incoming } = (env ?? {}) as { incoming?: { socket?: { remoteAddress?: string } } };
  return incoming?.socket?.remoteAddress;
}
