import type { ToolServerAuthInfo } from './bearer/auth-info.ts';
import { jsonAnswer, toResponse } from './http/plain.ts';
import type { ToolServerLog } from './options.ts';
import type { TokenRequestContext } from './token-endpoint/token-handler.ts';

/** Handles a request whose access token is valid, for example `createMcpHandler(…).fetch` of the MCP SDK 2. */
export type ProtectedHandler = (
  request: Request,
  context: { authInfo: ToolServerAuthInfo; parsedBody?: unknown },
) => Promise<Response>;

interface Core {
  handle(request: Request, context: TokenRequestContext): Promise<Response | undefined>;
  authenticate(
    request: Request,
    options: { scopes?: readonly string[] },
  ): Promise<ToolServerAuthInfo | Response>;
}

/** `ToolServer.router`. If a handler throws, the response is 500 without details. */
export function createRouter(
  deps: { toolServer: Core; log: Pick<ToolServerLog, 'error'> },
  routes: Readonly<Record<string, ProtectedHandler>>,
  options: { scopes?: readonly string[] } = {},
): (request: Request, context?: TokenRequestContext) => Promise<Response> {
  const handlers = new Map(Object.entries(routes)); // a map, so that a path such as `__proto__` finds nothing
  const { toolServer } = deps;

  async function answer(request: Request, context: TokenRequestContext): Promise<Response> {
    const own = await toolServer.handle(request, context);
    if (own) return own;
    const handler = handlers.get(new URL(request.url).pathname);
    if (!handler) return toResponse(jsonAnswer(404, { error: 'not_found' }));
    const caller = await toolServer.authenticate(request, options);
    if (caller instanceof Response) return caller;
    const { parsedBody } = context;
    return handler(request, { authInfo: caller, ...(parsedBody !== undefined && { parsedBody }) });
  }

  return (request, context = {}) =>
    answer(request, context).catch((err: unknown) => {
      deps.log.error({ err }, 'request failed');
      return toResponse(jsonAnswer(500, { error: 'server_error' }));
    });
}
