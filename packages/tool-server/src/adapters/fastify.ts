import type { FastifyPluginAsync, FastifyReply, onRequestAsyncHookHandler } from 'fastify';
import type { ToolServerAuthInfo } from '../bearer/auth-info.ts';
import { ownPaths } from '../metadata/endpoints.ts';
import type { ToolServer } from '../tool-server.ts';
import { bodyOf, headersOf, urlOf } from './node-http.ts';

declare module 'fastify' {
  interface FastifyInstance {
    /** A hook (`onRequest` or `preHandler`) that lets a request pass whose access token is good, with `request.auth`. */
    requireAccessToken(options?: { scopes?: readonly string[] }): onRequestAsyncHookHandler;
  }
  interface FastifyRequest {
    /** The caller, set by `requireAccessToken`. */
    auth?: ToolServerAuthInfo;
  }
}

/**
 * Answers the metadata documents, the keys and the token endpoint, and gives the application `requireAccessToken`. Its
 * routes answer before any body is parsed, so the parsers of the application do not matter.
 */
export const legate: FastifyPluginAsync<{ toolServer: ToolServer }> = async (app, { toolServer }) => {
  const { origin } = new URL(toolServer.endpoints.resource);
  app.decorateRequest('auth', undefined);
  app.decorate('requireAccessToken', (options) => async (request, reply) => {
    const caller = await toolServer.authenticate({ headers: headersOf(request.raw) }, options);
    if (caller instanceof Response) return send(reply, caller);
    request.auth = caller;
  });

  const answer: onRequestAsyncHookHandler = async ({ raw, ip }, reply) => {
    const parsedBody = raw.readableDidRead ? null : undefined;
    const body = bodyOf(raw);
    const request = new Request(urlOf(raw.url ?? '/', origin), {
      ...{ method: raw.method ?? 'GET', headers: headersOf(raw), body, duplex: 'half' },
    });
    const response = await toolServer.handle(request, { parsedBody, clientAddress: ip });
    return response ? send(reply, response) : reply.callNotFound();
  };
  for (const url of ownPaths(toolServer.endpoints))
    app.all(url, { onRequest: answer }, async () => undefined);
};

// Not encapsulated: `requireAccessToken` is for the routes of the application. What `fastify-plugin` does.
Object.assign(legate, {
  [Symbol.for('skip-override')]: true,
  [Symbol.for('fastify.display-name')]: '@legate/tool-server',
});

async function send(reply: FastifyReply, response: Response): Promise<FastifyReply> {
  reply.code(response.status).headers(Object.fromEntries(response.headers));
  return reply.send(response.body ? Buffer.from(await response.arrayBuffer()) : undefined);
}
