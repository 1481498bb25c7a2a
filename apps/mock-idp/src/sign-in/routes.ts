import type { OpenIdEngine } from '@legate/authorization-server';
import { errors, RETRY_AFTER_SECONDS, StoreUnavailable } from '@legate/authorization-server';
import { parseForm } from '@legate/oauth';
import { inOnePiece, type Logger } from '@legate/service';
import express, { type ErrorRequestHandler, type Request, type Response, Router } from 'express';
import type { Directory } from '../directory/directory.ts';
import { formActionSources } from '../pages/form-action.ts';
import type { Pages } from '../pages/pages.ts';
import { sendPage } from '../pages/send.ts';
import { WINDOW_SECONDS } from './attempts.ts';
import type { SignIn } from './service.ts';

const FORM = 'application/x-www-form-urlencoded';

/**
 * Routes of the sign-in page. An interaction belongs to the browser that started it: its signed cookie must name the
 * same interaction as the path. The cookie is `SameSite=Lax`, so no other site can post for the user or make the user
 * sign in as someone else.
 */
export function createSignInRouter(deps: {
  engine: OpenIdEngine;
  directory: Directory;
  signIn: SignIn;
  pages: Pages;
  log: Logger;
}): Router {
  const { engine, directory, pages, log } = deps;
  const router = Router();

  async function open(req: Request, res: Response) {
    const interaction = await engine.provider().interactionDetails(req, res);
    if (interaction.uid !== req.params.uid) throw new errors.SessionNotFound('another interaction');
    const clientId = interaction.params.client_id;
    const client = typeof clientId === 'string' ? await directory.clients.find(clientId) : undefined;
    const redirectUri = interaction.params.redirect_uri;
    const hint = interaction.params.login_hint;
    return {
      id: interaction.uid,
      clientName: client?.name ?? 'the application',
      loginHint: typeof hint === 'string' ? hint : undefined,
      formAction: formActionSources(
        typeof redirectUri === 'string' ? redirectUri : undefined,
        client?.redirectOrigins,
      ),
    };
  }

  router.get('/interaction/:uid', async (req, res) => {
    const { id, clientName, loginHint, formAction } = await open(req, res);
    sendPage(res, 200, pages.signIn({ interactionId: id, clientName, email: loginHint }), formAction);
  });

  router.post('/interaction/:uid', refuseOtherSites, readForm(), async (req, res) => {
    const { id, clientName, formAction } = await open(req, res);
    const form = parseForm(typeof req.body === 'string' ? req.body : '');
    const email = form.all('email')[0]?.trim() ?? '';
    const outcome = await deps.signIn(id, { email, address: req.ip }, form.all('password')[0] ?? '');
    if (outcome.kind === 'signed_in') {
      log.info({ sub: outcome.user.id }, 'signed in');
      // 303: after a 307 the browser would send the password to the client (RFC 9700 §2.10)
      return engine.provider().interactionFinished(req, res, {
        login: { accountId: outcome.user.id, amr: ['pwd'] },
      });
    }
    const isWrong = outcome.kind === 'wrong';
    log[isWrong ? 'info' : 'warn'](isWrong ? 'sign-in refused' : 'too many sign-in attempts');
    if (!isWrong) res.set('Retry-After', String(WINDOW_SECONDS));
    const page = pages.signIn({ interactionId: id, clientName, email, fault: outcome.kind });
    sendPage(res, isWrong ? 422 : 429, page, formAction);
  });

  router.post('/interaction/:uid/cancel', refuseOtherSites, async (req, res) => {
    await open(req, res);
    await engine
      .provider()
      .interactionFinished(req, res, { error: 'access_denied', error_description: 'the user cancelled' });
  });

  router.use('/interaction', showError(pages, log));
  return router;
}

/** Form size that is enough for an e-mail address and a password; scrypt must not process megabytes. */
const MAX_FORM_BYTES = 8192;
const readForm = () =>
  inOnePiece(MAX_FORM_BYTES, express.text({ type: FORM, limit: MAX_FORM_BYTES, defaultCharset: 'utf-8' }));

/**
 * Refuses forms of other sites by `Sec-Fetch-Site`. `Origin` is no help: it is `null` under our own referrer policy.
 * Browsers without this header are protected by the cookie.
 */
function refuseOtherSites(req: Request, _res: Response, next: () => void): void {
  const site = req.headers['sec-fetch-site'];
  if (site !== undefined && site !== 'same-origin' && site !== 'none')
    throw new errors.InvalidRequest('posted from another site');
  next();
}

/** Shows each error as a page, because a person reads it. */
function showError(pages: Pages, log: Logger): ErrorRequestHandler {
  return (err: unknown, _req, res, next) => {
    if (res.headersSent) return next(err);
    if (err instanceof StoreUnavailable) {
      log.error({ err }, 'sign-in failed');
      res.set('Retry-After', RETRY_AFTER_SECONDS);
    }
    if (err instanceof errors.OIDCProviderError) {
      const code = err instanceof errors.SessionNotFound ? 'session_not_found' : err.error;
      return sendPage(res, err.status, pages.error(code));
    }
    if (err instanceof Error && 'status' in err && typeof err.status === 'number' && err.status < 500)
      return sendPage(res, err.status, pages.error('invalid_request'));
    log.error({ err }, 'sign-in failed');
    sendPage(res, 500, pages.error('server_error'));
  };
}
