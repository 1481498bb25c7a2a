import { type Logger, methodNotAllowed, Problem } from '@legate/service';
import { type ErrorRequestHandler, type Request, Router } from 'express';
import type { BrowserCookie } from './browser-cookie.ts';
import type { ConsentFlow, ConsentOutcome } from './consent-flow.ts';
import { CONNECT_FAULTS, ConnectFault } from './fault.ts';
import { sendDeclined, sendDone, sendFault } from './pages.ts';

/** Routes below `/oauth` for browsers, without a bearer token. */
export function browserRoutes(deps: {
  consentFlow: ConsentFlow;
  cookie: BrowserCookie;
  log: Logger;
}): Router {
  const { consentFlow, cookie } = deps;
  const router = Router();
  router
    .route('/connect/:connectorId')
    .get(async (req, res) => {
      const { ticket } = req.query;
      const secret = typeof ticket === 'string' ? ticket : '';
      const browser = cookie.ensure(req, res);
      const url = await consentFlow.open(req.params.connectorId, secret, browser);
      res.set('Cache-Control', 'no-store').redirect(302, url);
    })
    .all(methodNotAllowed(['GET', 'HEAD']));
  router
    .route('/callback') // from the identity provider
    .get(async (req, res) => {
      const url = await consentFlow.signedIn(searchOf(req), cookie.read(req));
      res.set('Cache-Control', 'no-store').redirect(302, url);
    })
    .all(methodNotAllowed(['GET', 'HEAD']));
  router
    .route('/callback/:connectorId') // from a tool server's authorization server
    .get(async (req, res) => {
      const connected = await consentFlow.finish(req.params.connectorId, searchOf(req), cookie.read(req));
      const { returnTo, isConnected } = connected;
      if (returnTo !== undefined)
        return res.set('Cache-Control', 'no-store').redirect(303, withResult(returnTo, connected));
      return isConnected ? sendDone(req, res) : sendDeclined(req, res);
    })
    .all(methodNotAllowed(['GET', 'HEAD']));
  router.use(showFault(deps.log));
  return router;
}

/** As the browser sent it: a signed or compared value must not be parsed and serialized again. */
const searchOf = ({ originalUrl }: Request): string => new URL(originalUrl, 'http://localhost').search;

function withResult(returnTo: string, { connectorId, isConnected }: ConsentOutcome): string {
  const url = new URL(returnTo);
  url.searchParams.set('connector_id', connectorId);
  url.searchParams.set('connected', String(isConnected));
  return url.href;
}

/** Shows a page for any error; for an unexpected one, that it may be temporary. */
const showFault =
  (log: Logger): ErrorRequestHandler =>
  (err: unknown, req, res, next) => {
    if (res.headersSent || err instanceof Problem) return next(err);
    const request_id = res.get('X-Request-Id');
    if (!(err instanceof ConnectFault)) {
      log.error({ err, request_id }, 'connection failed');
      return sendFault(req, res, 'unavailable');
    }
    const { code, reason } = err;
    if (CONNECT_FAULTS[code].status >= 500) log.error({ code, reason, request_id }, 'connection failed');
    else log.info({ code, reason, request_id }, 'connection refused');
    sendFault(req, res, code);
  };
