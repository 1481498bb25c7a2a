import { createServer, type IncomingMessage, type RequestListener, type Server } from 'node:http';
import { ownPaths } from '../metadata/endpoints.ts';
import type { ProtectedHandler } from '../router.ts';
import type { TokenRequestContext } from '../token-endpoint/token-handler.ts';
import type { ToolServer } from '../tool-server.ts';
import { bodyOf, headersOf, plainOf, sendAnswer, sendResponse, urlOf } from './node-http.ts';

const MAX_BODY_BYTES = 1_048_576;

export interface NodeListenerOptions {
  /** Maximum size of a body; a larger one gets 413. Default 1 MiB. */
  readonly maxBodyBytes?: number;
  /** Called with errors of the handler, and when a response is cut off. Default: does nothing. */
  readonly onError?: (err: unknown) => void;
}

export interface ServeOptions extends NodeListenerOptions {
  readonly port: number;
  /** Address to listen on. Default: all addresses. */
  readonly host?: string;
  /** Scopes that every route requires. */
  readonly scopes?: readonly string[];
}

/**
 * Serves a tool server and the routes behind its gate, for example `createMcpHandler(…).fetch` of the MCP SDK 2.
 * @returns the listening server; close it like any server of node:http
 */
export function serve(
  toolServer: ToolServer,
  routes: Readonly<Record<string, ProtectedHandler>>,
  { port, host, scopes, ...options }: ServeOptions,
): Server {
  const paths = new Set(ownPaths(toolServer.endpoints));
  const listener = toNodeListener(toolServer.router(routes, scopes && { scopes }), options);
  return createServer((req, res) => {
    const [pathname = ''] = req.url?.split('?') ?? [];
    if (!paths.has(pathname)) return listener(req, res);
    toolServer
      .answer(plainOf(req, pathname, undefined), { clientAddress: req.socket.remoteAddress })
      .then((answer) => (answer ? sendAnswer(res, answer) : listener(req, res)))
      .catch((err: unknown) => {
        options.onError?.(err);
        res.destroy();
      });
  }).listen(port, host);
}

/**
 * Turns a handler of Web-standard requests into a listener for node:http. A request is aborted when its caller
 * disconnects, and streams are sent as streams.
 */
export function toNodeListener(
  handler: (request: Request, context: TokenRequestContext) => Promise<Response>,
  { maxBodyBytes = MAX_BODY_BYTES, onError = () => {} }: NodeListenerOptions = {},
): RequestListener {
  async function answer(req: IncomingMessage, signal: AbortSignal): Promise<Response> {
    const { host = 'localhost' } = req.headers;
    const scheme = 'encrypted' in req.socket ? 'https' : 'http';
    if (!HOST.test(host) || !URL.canParse(`${scheme}://${host}`)) return new Response(null, { status: 400 });
    let isTooLarge = Number(req.headers['content-length'] ?? 0) > maxBodyBytes;
    if (!isTooLarge) {
      const body = bodyOf(req, maxBodyBytes, () => {
        isTooLarge = true;
      });
      const { method = 'GET' } = req;
      const request = new Request(urlOf(req.url ?? '/', `${scheme}://${host}`), {
        ...{ method, headers: headersOf(req), body, signal, duplex: 'half' },
      });
      const response = await handler(request, { clientAddress: req.socket.remoteAddress }).catch((err) => {
        if (!isTooLarge) onError(err);
        return new Response(null, { status: 500 });
      });
      // The handler's own response is dropped: it is based on half a body.
      if (!isTooLarge) return response;
    }
    return new Response(null, { status: 413 });
  }

  return (req, res) => {
    const hangUp = new AbortController();
    res.once('close', () => res.writableFinished || hangUp.abort());
    answer(req, hangUp.signal)
      .then((response) => sendResponse(res, response))
      .catch((err: unknown) => {
        onError(err);
        if (!res.headersSent) res.writeHead(400);
        res.end();
      });
  };
}

/** RFC 9110 §7.2: a host and an optional port; anything else would change other parts of the URL. */
const HOST = /^[A-Za-z0-9._~%!$&'()*+,;=:[\]-]+$/;
