import type { FastifyPluginAsync, FastifyReply, onRequestAsyncHookHandler } from 'fastify';
import type { ToolServerAuthInfo } from '../bearer/auth-info.ts';
import { ownPaths } from '../metadata/endpoints.ts';
import type { ToolServer } from '../tool-server.ts';
import { headerReader, plainOf } from './node-http.ts';

declare module 'fastify' {
  interface FastifyInstance {
    /** A hook (`onRequest` or `preHandler`) that lets a request pass if its access token is valid, and sets `request.auth`. */
    requireAccessToken(options?: { scopes?: readonly string[] }): onRequestAsyncHookHandler;
  }
  interface FastifyRequest {
    /** The caller, set by `requireAccessToken`. */
    auth?: ToolServerAuthInfo;
  }
}

/**
 * Serves the metadata documents, the keys and the token endpoint, and adds `requireAccessToken` to the application. Its
 * routes respond before any body is parsed, so the parsers of the application do not matter.
 */
export const legate: FastifyPluginAsync<{ toolServer: ToolServer }> = async (app, { toolServer }) => {
  app.decorateRequest('auth', undefined);
  app.decorate('requireAccessToken', (options) => async (request, reply) => {
    const caller = await toolServer.authenticate({ headers: headerReader(request.raw) }, options);
    if (caller instanceof Response) return send(reply, caller);
    request.auth = caller;
  });

  const answerAt =
    (pathname: string): onRequestAsyncHookHandler =>
    async ({ raw, ip }, reply) => {
      const answer = await toolServer.answer(plainOf(raw, pathname, undefined), { clientAddress: ip });
      if (!answer) return reply.callNotFound();
      const { status, headers, body } = answer;
      return reply
        .code(status)
        .headers(headers)
        .send(body ?? undefined);
    };
  for (const url of ownPaths(toolServer.endpoints))
    app.all(url, { onRequest: answerAt(url) }, async () => undefined);
};

// Not encapsulated, because the routes of the application use `requireAccessToken`. `fastify-plugin` does the same.
Object.assign(legate, {
  [Symbol.for('skip-override')]: true,
  [Symbol.for('fastify.display-name')]: '@legate/tool-server',
});

async function send(reply: FastifyReply, response: Response): Promise<FastifyReply> {
  reply.code(response.status).headers(Object.fromEntries(response.headers));
  return reply.send(response.body ? Buffer.from(await response.arrayBuffer()) : undefined);
}
