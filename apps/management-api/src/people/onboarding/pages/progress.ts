import type { Request, Response } from 'express';
import { callerOf } from '../../../callers/authentication/caller-of-request.ts';
import type { OnboardingContext } from '../onboarding.ts';
import type { Onboarding } from '../service.ts';
import { browserOf } from './browser.ts';
import type { Pages } from './pages.ts';
import { sendPage } from './send.ts';
import type { Ways } from './ways.ts';

/** Slow enough that a browser left open does not reach the request limit */
const REFRESH_SECONDS = 2;

export type ProgressPages = ReturnType<typeof createProgressPages>;

/** Creates the pages of a session, for a browser that is recognized. */
export function createProgressPages(deps: {
  onboarding: Pick<Onboarding, 'progress' | 'endUnasked'>;
  pages: Pages;
  ways: Ways;
  /** Returns the outcome of an invitation in this session. */
  noticeIn: (req: Request, sessionId: string) => string | undefined;
}) {
  const { onboarding, pages, ways } = deps;
  const progressOf = (res: Response) => onboarding.progress(callerOf(res), browserOf(res).sessionId);
  const inSession = (req: Request, res: Response, context: OnboardingContext) => {
    const { sessionId, returnTo } = browserOf(res);
    const asksConsent = ways.clientAt(returnTo) !== undefined;
    const notice = deps.noticeIn(req, sessionId);
    return { sessionId, context, asksConsent, switchUser: ways.switchUser(returnTo), notice };
  };

  return {
    /** Shows the next step. */
    async show(req: Request, res: Response): Promise<void> {
      const { step, context, decision, redirectTo } = await progressOf(res);
      const { returnTo } = browserOf(res);
      const application = ways.applicationAt(returnTo);
      const session = inSession(req, res, context);
      const send = (page: string) => sendPage(req, res, 200, page);
      switch (step) {
        case 'create_org':
          return send(pages.createOrganization({ ...session, name: context.suggestedOrgName ?? '' }));
        case 'creating':
          return send(pages.creating({ ...session, refreshSeconds: REFRESH_SECONDS }));
        case 'consent': {
          const clientId = ways.clientAt(returnTo);
          if (clientId !== undefined && application) {
            return send(
              pages.consent({ ...session, application: application.label, clientId, target: redirectTo }),
            );
          }
          await onboarding.endUnasked(callerOf(res), session.sessionId);
          return send(pages.ready({ ...session, onward: application }));
        }
        case 'done': {
          if (!session.asksConsent) return send(pages.ready({ ...session, onward: application }));
          const onward = application && { ...application, href: redirectTo };
          const again = ways.signIn(returnTo, 'Sign in again to change your decision');
          return send(pages.done({ ...session, allowed: decision === 'approve', onward, again }));
        }
      }
    },

    /** Shows the form for creating an organization again. */
    async showForm(
      req: Request,
      res: Response,
      status: number,
      page: { name: string; nameFault?: string; alert?: string },
    ): Promise<void> {
      const { context } = await progressOf(res);
      sendPage(req, res, status, pages.createOrganization({ ...inSession(req, res, context), ...page }));
    },
  };
}
