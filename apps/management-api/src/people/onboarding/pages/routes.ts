import { methodNotAllowed, PAGE_STYLE, unmatchedRoute, validationFailed } from '@legate/service';
import { type ErrorRequestHandler, type RequestHandler, type Response, Router } from 'express';
import { z } from 'zod';
import { packageErrors } from '../../../http/api/package-errors.ts';
import { parseQuery } from '../../../http/api/query.ts';
import { type Attempts, refuseUnseen } from '../attempts.ts';
import type { BrowserCookie } from '../browser-cookie.ts';
import type { BrowserSignIn } from '../browser-sign-in.ts';
import type { InvitationCookie } from '../invitation-cookie.ts';
import type { Invited } from '../invited.ts';
import type { Onboarding } from '../service.ts';
import { forgetEnded, recognizeBrowser } from './browser.ts';
import { accessDenied } from './faults.ts';
import { readForm, refuseOldForms } from './form.ts';
import { createInvitationPages, type InvitationPages } from './invitation.ts';
import type { Pages } from './pages.ts';
import { createProgressPages } from './progress.ts';
import { sendPage } from './send.ts';
import { createSubmissions } from './submissions.ts';
import type { Ways } from './ways.ts';

/** Other parameters in the URL of a page are ignored. */
const HomeQuery = z.object({ return_to: z.string().optional(), code: z.string().optional() });
const SignInQuery = z.object({ return_to: z.string().optional(), another_user: z.literal('1').optional() });

/**
 * Shows the current step of this browser at a single URL, so that reloading, going back and a second tab show the
 * current state, and no form is shown for a completed step. The response to each form redirects to it.
 */
export function pageRoutes(deps: {
  onboarding: Onboarding;
  pages: Pages;
  cookie: BrowserCookie;
  ways: Ways;
  issuer: string;
  begin: BrowserSignIn['begin'];
  attempts: Pick<Attempts, 'limitCreations' | 'limitLinks'>;
  invited: Invited;
  invitationCookie: InvitationCookie;
  /** Admits a caller as the API does. */
  admission: readonly RequestHandler[];
  showFault: ErrorRequestHandler;
}): Router {
  const { onboarding, pages, cookie, ways } = deps;
  const home = (res: Response) => res.redirect(303, ways.base);
  const invitation = createInvitationPages({
    invited: deps.invited,
    pages,
    ways,
    cookie: deps.invitationCookie,
    browserCookie: cookie,
    home,
  });
  const { noticeIn } = invitation;
  const progress = createProgressPages({ onboarding, pages, ways, noticeIn });
  const submissions = createSubmissions({ onboarding, progress, home });
  const signedIn = [recognizeBrowser({ onboarding, cookie, issuer: deps.issuer }), ...deps.admission];
  const form = [...readForm, ...signedIn, refuseOldForms];

  const router = Router();
  mountInvitation(router, invitation, deps);
  router
    .route('/')
    .get(async (req, res, next) => {
      const { return_to, code } = parseQuery(HomeQuery, req.query);
      if (code === 'idp_access_denied') throw accessDenied();
      if (return_to === undefined && cookie.read(req)) return next();
      if (return_to !== ways.known(return_to)) {
        throw validationFailed([
          { parameter: 'return_to', code: 'invalid_enum', detail: 'Must be one of the configured pages.' },
        ]);
      }
      const application = ways.applicationAt(return_to)?.label;
      const asksConsent = ways.clientAt(return_to) !== undefined;
      const signIn = ways.signIn(return_to, 'Sign in');
      sendPage(req, res, 200, pages.start({ application, asksConsent, signIn }));
    })
    .get(...signedIn, progress.show)
    .all(methodNotAllowed(['GET', 'HEAD']));
  router
    .route('/sign-in')
    .get(refuseUnseen, async (req, res) => {
      const { return_to, another_user } = parseQuery(SignInQuery, req.query);
      const options = { inPages: true, anotherUser: another_user !== undefined };
      const url = await deps.begin(req, res, return_to, options);
      res.set('Cache-Control', 'no-store').redirect(302, url);
    })
    .all(methodNotAllowed(['GET', 'HEAD']));
  router
    .route('/create-org')
    .post(...form, deps.attempts.limitCreations, submissions.createOrganization)
    .all(methodNotAllowed(['POST']));
  router
    .route('/consent')
    .post(...form, submissions.giveConsent)
    .all(methodNotAllowed(['POST']));
  router
    .route(pages.stylePath)
    .get((_req, res) => {
      res.set('Cache-Control', 'public, max-age=31536000, immutable').type('css').send(PAGE_STYLE);
    })
    .all(methodNotAllowed(['GET', 'HEAD']));
  router.use(unmatchedRoute, packageErrors, forgetEnded(cookie), deps.showFault);
  return router;
}

/** Shown before every other step. */
function mountInvitation(
  router: Router,
  invitation: InvitationPages,
  deps: Pick<Parameters<typeof pageRoutes>[0], 'onboarding' | 'cookie' | 'issuer' | 'admission' | 'attempts'>,
): void {
  const { onboarding, cookie, issuer, attempts } = deps;
  const withoutOrganization = true;
  const invitee = [recognizeBrowser({ onboarding, cookie, issuer, withoutOrganization }), ...deps.admission];
  const answer = [...readForm, ...invitee, refuseOldForms, attempts.limitCreations];
  router.get('/', invitation.gate, ...invitee, invitation.show);
  router
    .route('/invitation')
    .get(refuseUnseen, attempts.limitLinks, invitation.open)
    .all(methodNotAllowed(['GET', 'HEAD']));
  for (const [path, handlers] of [
    ['/invitation/accept', [...answer, invitation.accept]],
    ['/invitation/decline', [...answer, invitation.decline]],
    ['/invitation/set-aside', [...readForm, invitation.setAside]],
  ] as const)
    router
      .route(path)
      .post(...handlers)
      .all(methodNotAllowed(['POST']));
}
