import { methodNotAllowed, Problem, unmatchedRoute } from '@legate/service';
import { type ErrorRequestHandler, type Request, type RequestHandler, type Response, Router } from 'express';
import { z } from 'zod';
import { packageErrors } from '../../api/problems.ts';
import { NoQuery, parseBody, parseQuery, validationFailed } from '../../api/validation.ts';
import { callerOf } from '../../caller/caller.ts';
import { authorIn } from '../../changes/author-of-request.ts';
import type { BrowserSignIn } from '../browser-sign-in.ts';
import { CreateOrganization, GiveConsent } from '../onboarding.ts';
import type { Onboarding } from '../service.ts';
import { browserOf, forgetEnded, recognizeBrowser } from './browser.ts';
import type { BrowserCookie } from './browser-cookie.ts';
import { accessDenied, faultOf } from './faults.ts';
import { readForm, refuseOldForms } from './form.ts';
import type { Pages } from './pages.ts';
import { createProgressPages } from './progress.ts';
import { sendPage } from './send.ts';
import type { Ways } from './ways.ts';

/** What else is in the address of a page is not for us. */
const HomeQuery = z.object({ return_to: z.string().optional(), code: z.string().optional() });
const SignInQuery = z.object({ return_to: z.string().optional(), another_user: z.literal('1').optional() });

/**
 * One address shows whatever is next for this browser, so that reloading, going back and a second tab show the present
 * state, and a form is never shown for a step that is over. Each form is answered with a redirect to it.
 */
export function pageRoutes(deps: {
  onboarding: Onboarding;
  pages: Pages;
  cookie: BrowserCookie;
  ways: Ways;
  issuer: string;
  clientId: string;
  begin: BrowserSignIn['begin'];
  limitAttempts: RequestHandler;
  /** Lets a caller in as at the API. */
  admission: readonly RequestHandler[];
  showFault: ErrorRequestHandler;
}): Router {
  const { onboarding, pages, cookie, ways } = deps;
  const home = (res: Response) => res.redirect(303, ways.base);
  const progress = createProgressPages(deps);
  const signedIn = [recognizeBrowser(deps), ...deps.admission];
  const form = [...readForm, ...signedIn, refuseOldForms];

  async function createOrganization(req: Request, res: Response): Promise<void> {
    const name = typeof req.body.name === 'string' ? req.body.name : '';
    try {
      parseQuery(NoQuery, req.query);
      const request = parseBody(CreateOrganization, req.body);
      const author = (organizationId: string) => authorIn(organizationId, req, res);
      await onboarding.createOrganization(callerOf(res), request, author);
    } catch (err) {
      if (!(err instanceof Problem)) throw err;
      const isRunning = err.code === 'onboarding_in_progress';
      if (isRunning && (await isOwnAttempt(res))) return home(res);
      const nameFault = onlyFaultOf('/name', err);
      if (nameFault !== undefined) return progress.showForm(req, res, err.status, { name, nameFault });
      if (err.status < 500 && !isRunning) throw err;
      // The same name must be sent again, so it is not left to be remembered.
      const { title, text } = faultOf(err.code);
      res.set(err.headers);
      return progress.showForm(req, res, err.status, { name, alert: `${title}. ${text}` });
    }
    home(res);
  }

  /** Not one of another tab, of another sign-in */
  async function isOwnAttempt(res: Response): Promise<boolean> {
    const { step } = await onboarding.progress(callerOf(res), browserOf(res).sessionId);
    return step !== 'create_org';
  }

  async function giveConsent(req: Request, res: Response): Promise<void> {
    parseQuery(NoQuery, req.query);
    const request = parseBody(GiveConsent, req.body);
    try {
      const author = (organizationId: string) => authorIn(organizationId, req, res);
      await onboarding.consent(callerOf(res), request, author);
    } catch (err) {
      if (!(err instanceof Problem && err.code === 'onboarding_session_used')) throw err;
      // A double click: the first one has said the same.
      const { decision } = await onboarding.progress(callerOf(res), request.session);
      if (decision !== request.decision) throw err;
    }
    home(res);
  }

  const router = Router();
  router
    .route('/')
    .get(async (req, res, next) => {
      const { return_to, code } = parseQuery(HomeQuery, req.query);
      if (code === 'idp_access_denied') throw accessDenied();
      if (return_to === undefined && cookie.read(req)) return next();
      if (return_to !== ways.known(return_to)) {
        throw validationFailed([{ parameter: 'return_to', code: 'invalid_enum', detail: 'Not known here.' }]);
      }
      const application = ways.applicationAt(return_to)?.label;
      sendPage(req, res, 200, pages.start({ application, signIn: ways.signIn(return_to, 'Sign in') }));
    })
    .get(...signedIn, progress.show)
    .all(methodNotAllowed(['GET', 'HEAD']));
  router
    .route('/sign-in')
    .get(async (req, res) => {
      const { return_to, another_user } = parseQuery(SignInQuery, req.query);
      const options = { inPages: true, anotherUser: another_user !== undefined };
      const url = await deps.begin(req, res, return_to, options);
      res.set('Cache-Control', 'no-store').redirect(302, url);
    })
    .all(methodNotAllowed(['GET', 'HEAD']));
  router
    .route('/create-org')
    .post(...form, deps.limitAttempts, createOrganization)
    .all(methodNotAllowed(['POST']));
  router
    .route('/consent')
    .post(...form, giveConsent)
    .all(methodNotAllowed(['POST']));
  router
    .route(pages.style.path)
    .get((_req, res) => {
      res.set('Cache-Control', 'public, max-age=31536000, immutable').type('css').send(pages.style.text);
    })
    .all(methodNotAllowed(['GET', 'HEAD']));
  router.use(unmatchedRoute, packageErrors, forgetEnded(cookie), deps.showFault);
  return router;
}

function onlyFaultOf(pointer: string, problem: Problem): string | undefined {
  const errors = problem.errors ?? [];
  return errors.every((error) => error.pointer === pointer) ? errors[0]?.detail : undefined;
}
