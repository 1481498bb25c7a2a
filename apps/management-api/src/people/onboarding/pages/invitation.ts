import { NoQuery, Problem, parseBody } from '@legate/service';
import type { Request, RequestHandler, Response } from 'express';
import { z } from 'zod';
import { authorIn } from '../../../callers/admission/author-of-request.ts';
import { callerOf } from '../../../callers/authentication/caller-of-request.ts';
import { maskedEmail } from '../../../domain/email-address.ts';
import { parseQuery } from '../../../http/api/query.ts';
import type { BrowserCookie } from '../browser-cookie.ts';
import { type InvitationCookie, tokenIn } from '../invitation-cookie.ts';
import { type AnsweredInvitation, AnswerInvitation, type Invited, type ShownInvitation } from '../invited.ts';
import type { OnboardingSession } from '../session.ts';
import { browserOf } from './browser.ts';
import type { InvitationOnPage, Pages } from './pages.ts';
import { sendPage } from './send.ts';
import type { Ways } from './ways.ts';

const LinkQuery = z.object({ token: z.string().max(200).default('') });
/** Slow enough that a browser left open does not reach the request limit */
const REFRESH_SECONDS = 2;

export type InvitationPages = ReturnType<typeof createInvitationPages>;

/** Creates the pages of an invitation, which come before every other step while the browser has its cookie. */
export function createInvitationPages(deps: {
  invited: Invited;
  pages: Pages;
  ways: Ways;
  cookie: InvitationCookie;
  browserCookie: BrowserCookie;
  /** Redirects to the page that shows the next step. */
  home: (res: Response) => void;
}) {
  const { invited, pages, ways, cookie, browserCookie, home } = deps;

  const tokenOf = (req: Request) => tokenIn(cookie, req);

  async function showSignedOut(req: Request, res: Response, token: string): Promise<void> {
    const invitation = onPage(await invited.peek(token));
    const signIn = ways.signIn(undefined, 'Sign in to answer');
    sendPage(req, res, 200, pages.invitation({ invitation, signIn }));
  }

  function goHome(res: Response, answered: AnsweredInvitation): void {
    cookie.set(res, answered);
    home(res);
  }

  const answerWith =
    (answer: Invited['accept'] | Invited['decline']): RequestHandler =>
    async (req, res) => {
      parseQuery(NoQuery, req.query);
      const sent = parseBody(AnswerInvitation, req.body);
      const token = tokenOf(req);
      // The form was sent again after the invitation was answered: the page shows the next step.
      if (token === undefined) return home(res);
      const author = (organizationId: Parameters<typeof authorIn>[0]) => authorIn(organizationId, req, res);
      try {
        goHome(res, await answer(callerOf(res).subject, sent, token, author));
      } catch (err) {
        if (!(err instanceof Problem && err.code === 'onboarding_in_progress')) throw err;
        home(res); // a double click: the page waits for the first one
      }
    };

  return {
    /** Returns the outcome of the invitation in this session. */
    noticeIn(req: Request, sessionId: string): string | undefined {
      const kept = cookie.read(req);
      return kept && 'notice' in kept && kept.sessionId === sessionId ? kept.notice : undefined;
    },
    /** Removes the token from the URL, and does nothing else, because mail scanners follow links. */
    open: ((req, res) => {
      const { token } = parseQuery(LinkQuery, req.query);
      cookie.set(res, { token });
      res.set({ 'Cache-Control': 'no-store', 'Referrer-Policy': 'no-referrer' });
      home(res);
    }) satisfies RequestHandler,
    /** Shows the invitation to a person who has not signed in; without an invitation, passes on to the other pages. */
    gate: (async (req, res, next) => {
      const token = tokenOf(req);
      const isElsewhere = req.query.return_to !== undefined || req.query.code !== undefined;
      if (token === undefined || isElsewhere) return next('route');
      if (browserCookie.read(req)) return next();
      await showSignedOut(req, res, token);
    }) satisfies RequestHandler,
    /** Shows the invitation to a person who has signed in. */
    show: (async (req, res) => {
      const token = tokenOf(req) ?? '';
      const view = await invited.view(callerOf(res).subject, browserOf(res).sessionId, token);
      if (view.kind === 'signed_out') return showSignedOut(req, res, token);
      if (view.kind === 'accepted') return goHome(res, { sessionId: view.sessionId, notice: view.notice });
      const page = { ...inSession(view.session, ways), invitation: onPage(view.invitation) };
      const shown =
        view.kind === 'open'
          ? pages.invitation({ ...page, csrfToken: view.csrfToken })
          : pages.joining({ ...page, refreshSeconds: REFRESH_SECONDS });
      sendPage(req, res, 200, shown);
    }) satisfies RequestHandler,
    accept: answerWith(invited.accept),
    decline: answerWith(invited.decline),
    /** Returns to the other pages; the link can be opened again. */
    setAside: ((_req, res) => {
      cookie.clear(res);
      home(res);
    }) satisfies RequestHandler,
  };
}

const inSession = ({ id, name, email, returnTo }: OnboardingSession, ways: Ways) => ({
  sessionId: id,
  context: { user: { name: name ?? '', email: email ?? '' } },
  switchUser: ways.switchUser(returnTo),
});

const MAX_NAME = 100;

const onPage = (invitation: ShownInvitation): InvitationOnPage => ({
  organization: invitation.organizationName,
  domains: invitation.domains,
  // The name comes from a token, which does not limit its length.
  inviter: invitation.inviterName?.slice(0, MAX_NAME) ?? 'An administrator',
  role: invitation.role,
  address: maskedEmail(invitation.email),
});
