import { limitStrangers, onlyNavigations } from '@legate/rate-limit/express';
import { type Logger, methodNotAllowed, Problem } from '@legate/service';
import { type Request, Router } from 'express';
import type { Strangers } from '../../limits/strangers.ts';
import { showFault, unexpected } from '../pages/fault-page.ts';
import { PageFault } from '../pages/page-fault.ts';
import type { BrowserCookie } from './browser-cookie.ts';
import type { ConnectPage } from './connect-page.ts';
import type { ConsentFlow, ConsentOutcome } from './consent-flow.ts';
import { sendDeclined, sendDone, sendQuestion } from './pages.ts';

/** Routes below `/oauth` for browsers, which send no bearer token. */
export function browserRoutes(deps: {
  consentFlow: ConsentFlow;
  connectPage: ConnectPage;
  publicUrl: string;
  cookie: BrowserCookie;
  log: Logger;
}): Router {
  const { consentFlow, connectPage, cookie } = deps;
  const router = Router();
  router.use(['/connect', '/callback'], onlyNavigations(notNavigated));
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
      const question = await connectPage.signedIn(searchOf(req), cookie.read(req));
      const url = question
        ? questionUrl(deps.publicUrl, question)
        : await consentFlow.signedIn(searchOf(req), cookie.read(req));
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
  router.use(showFault(deps.log, 'connection', toFault));
  return router;
}

/**
 * Routes below `/connect` for browsers. Nothing changes before the user has signed in and has continued from the page,
 * whose address only that browser has. The page continues with a link and not a form, because CSP would block a form
 * whose response redirects to another site.
 */
export function connectPageRoutes(deps: {
  connectPage: ConnectPage;
  cookie: BrowserCookie;
  strangers: Pick<Strangers, 'connectPages'>;
  publicUrl: string;
  log: Logger;
}): Router {
  const { connectPage, cookie, strangers, publicUrl } = deps;
  const tooMany = (seconds: number) => new PageFault('too_many', `for ${seconds} s`);
  const browserOf = (req: Request) => [cookie.read(req) ?? 'none'];
  const router = Router();
  router.use(onlyNavigations(notNavigated));
  router
    .route('/:connectorId')
    .get(limitStrangers(strangers.connectPages, tooMany, browserOf), async (req, res) => {
      const url = await connectPage.begin(req.params.connectorId, req.query.scope, cookie.ensure(req, res));
      res.set('Cache-Control', 'no-store').redirect(302, url);
    })
    .all(methodNotAllowed(['GET', 'HEAD']));
  router
    .route('/:connectorId/:secret')
    .get(async (req, res) => {
      const { connectorId, secret } = req.params;
      const question = await connectPage.question(connectorId, secret, cookie.read(req));
      sendQuestion(req, res, question, `${questionUrl(publicUrl, { connectorId, secret })}/accept`);
    })
    .all(methodNotAllowed(['GET', 'HEAD']));
  router
    .route('/:connectorId/:secret/accept')
    .get(async (req, res) => {
      const { connectorId, secret } = req.params;
      const url = await connectPage.accept(connectorId, secret, cookie.read(req));
      res.set('Cache-Control', 'no-store').redirect(303, url);
    })
    .all(methodNotAllowed(['GET', 'HEAD']));
  router.use(showFault(deps.log, 'connection', toFault));
  return router;
}

const notNavigated = (found: string) => new PageFault('not_navigated', `requested as ${found}`);

const questionUrl = (publicUrl: string, question: { connectorId: string; secret: string }): string =>
  `${publicUrl}/connect/${encodeURIComponent(question.connectorId)}/${question.secret}`;

/** Returns the query as the browser sent it: a signed or compared value must not be parsed and serialized again. */
const searchOf = ({ originalUrl }: Request): string => new URL(originalUrl, 'http://localhost').search;

function withResult(returnTo: string, { connectorId, isConnected }: ConsentOutcome): string {
  const url = new URL(returnTo);
  url.searchParams.set('connector_id', connectorId);
  url.searchParams.set('connected', String(isConnected));
  return url.href;
}

/** Turns errors that are not faults of a page, such as a method that is not allowed, into problems. */
const toFault = (err: unknown): PageFault | undefined =>
  err instanceof Problem ? undefined : unexpected(err);
