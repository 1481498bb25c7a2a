import type { RequestHandler } from 'express';
import type { ToolServerAuthInfo } from '../bearer/auth-info.ts';
import { ownPaths } from '../metadata/endpoints.ts';
import type { ToolServer } from '../tool-server.ts';
import { headerReader, plainOf, sendAnswer, sendResponse } from './node-http.ts';

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

/** Serves the metadata documents, the keys and the token endpoint. Mount it at the root, before any body parser. */
export function legate(toolServer: ToolServer): RequestHandler {
  const routes = new Map(ownPaths(toolServer.endpoints).map((path) => [path, { path }]));
  return (req, res, next) => {
    const route = routes.get(req.path);
    if (!route || req.baseUrl !== '') return next();
    toolServer
      .answer(plainOf(req, req.path, req.body), { clientAddress: req.ip })
      .then((answer) => {
        if (!answer) return next();
        req.route = route; // the route name for metrics and traces, as if Express had routed the request
        return sendAnswer(res, answer);
      })
      .catch(next);
  };
}

/** Lets a request pass if its access token is valid and has all `scopes`, and sets `req.auth`; refuses any other. */
export function requireAccessToken(
  toolServer: ToolServer,
  options?: { scopes?: readonly string[] },
): RequestHandler {
  return (req, res, next) => {
    toolServer
      .authenticate({ headers: headerReader(req) }, options)
      .then((caller) => {
        if (!(caller instanceof Response)) req.auth = caller;
        return caller instanceof Response ? sendResponse(res, caller) : next();
      })
      .catch(next);
  };
}
