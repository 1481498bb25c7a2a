import type { Request as ExpressRequest, RequestHandler } from 'express';
import type { ToolServerAuthInfo } from '../bearer/auth-info.ts';
import { ownPaths } from '../metadata/endpoints.ts';
import type { ToolServer } from '../tool-server.ts';
import { bodyOf, headersOf, sendResponse, urlOf } from './node-http.ts';

declare global {
  namespace Express {
    interface Request {
      /** The caller, set by `requireAccessToken`. */
      auth?: AuthInfo;
    }
    /** The `AuthInfo` of the MCP SDK, versions 1 and 2, which declare `auth` themselves in other places. */
    interface AuthInfo extends Partial<Pick<ToolServerAuthInfo, 'expiresAt' | 'resource'>> {
      token: string;
      clientId: string;
      scopes: string[];
      resourceMetadataUrl?: string;
      extra?: Record<string, unknown>;
    }
  }
}

/** Answers the metadata documents, the keys and the token endpoint. Mount it at the root, before any body parser. */
export function legate(toolServer: ToolServer): RequestHandler {
  const paths = new Set(ownPaths(toolServer.endpoints));
  const { origin } = new URL(toolServer.endpoints.resource);
  return (req, res, next) => {
    if (!paths.has(req.path) || req.baseUrl !== '') return next();
    const parsedBody: unknown = req.readableDidRead ? (req.body ?? null) : undefined;
    toolServer
      .handle(toRequest(req, origin), { parsedBody, clientAddress: req.ip })
      .then((response) => (response ? sendResponse(res, response) : next()))
      .catch(next);
  };
}

/** Lets a request pass whose access token is good and has all `scopes`, with `req.auth`; any other is answered. */
export function requireAccessToken(
  toolServer: ToolServer,
  options?: { scopes?: readonly string[] },
): RequestHandler {
  return (req, res, next) => {
    const headers = { get: (name: string) => req.get(name) ?? null };
    toolServer
      .authenticate({ headers }, options)
      .then((caller) => {
        if (!(caller instanceof Response)) req.auth = caller;
        return caller instanceof Response ? sendResponse(res, caller) : next();
      })
      .catch(next);
  };
}

function toRequest(req: ExpressRequest, origin: string): Request {
  const body = bodyOf(req);
  return new Request(urlOf(req.url, origin), {
    method: req.method,
    headers: headersOf(req),
    body,
    duplex: 'half',
  });
}
