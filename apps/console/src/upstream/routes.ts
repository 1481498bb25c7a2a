import { inOnePiece, notFound } from '@legate/service';
import express, { type Response as Answer, type Request, type RequestHandler, Router } from 'express';
import type { FindSession } from '../sign-in/find-session.ts';
import { isAllowed, type UpstreamName } from './allowed.ts';
import { forwardedHeaders, type Upstreams } from './upstream.ts';

const MAX_BODY_BYTES = 1_048_576;
const RETURNED =
  /^(?:content-type|content-disposition|etag|retry-after|x-ratelimit-.+|x-request-id|legate-.+|idempotent-replayed)$/;
/**
 * A content type that a browser does not show as a page, even if somebody opens the URL directly. Of several types in one
 * header, browsers use the last (Fetch §2.2.3).
 */
const DATA = /^(?:application\/(?:problem\+)?json|text\/csv)(?: *;[^,]*)?$/i;

/** `/bff/api/*` and `/bff/hub/*`: forwards the listed operations with the tokens of the session. */
export function proxyRoutes(deps: { findSession: FindSession; upstreams: Upstreams }): Router {
  const router = Router();
  const body = inOnePiece(MAX_BODY_BYTES, express.raw({ type: () => true, limit: MAX_BODY_BYTES }));
  for (const upstream of ['api', 'hub'] as const)
    router.use(`/${upstream}`, onlyAllowed(upstream), body, forward(upstream, deps));
  return router;
}

const onlyAllowed =
  (upstream: UpstreamName): RequestHandler =>
  (req, _res, next) => {
    const [path = ''] = req.url.split('?');
    if (!isAllowed(upstream, req.method, path)) throw notFound('There is nothing at this path.');
    next();
  };

function forward(
  upstream: UpstreamName,
  deps: { findSession: FindSession; upstreams: Upstreams },
): RequestHandler {
  return async (req, res) => {
    const session = await deps.findSession.findRenewed(req);
    const answer = await deps.upstreams.ask(
      {
        ...{ upstream, method: req.method, path: req.url, headers: forwardedHeaders(req) },
        body: bodyOf(req),
        signal: whileListening(res),
      },
      session,
    );
    res.status(answer.status);
    for (const [name, value] of answer.headers) if (RETURNED.test(name)) res.setHeader(name, value);
    const type = answer.headers.get('content-type');
    if (type !== null && !DATA.test(type)) res.setHeader('Content-Type', 'application/octet-stream');
    res.end(Buffer.from(await answer.arrayBuffer()));
  };
}

const bodyOf = ({ body }: Request): Uint8Array<ArrayBuffer> | undefined =>
  Buffer.isBuffer(body) && body.length > 0 ? new Uint8Array(body) : undefined;

/** Aborts the request to the service when the browser has closed the connection. */
function whileListening(res: Answer): AbortSignal {
  const controller = new AbortController();
  res.once('close', () => controller.abort());
  return controller.signal;
}
