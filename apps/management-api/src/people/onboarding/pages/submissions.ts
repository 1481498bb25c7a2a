import type { OrganizationId } from '@legate/ids';
import { NoQuery, Problem, parseBody } from '@legate/service';
import type { Request, Response } from 'express';
import { authorIn } from '../../../callers/admission/author-of-request.ts';
import { callerOf } from '../../../callers/authentication/caller-of-request.ts';
import { parseQuery } from '../../../http/api/query.ts';
import { CreateOrganization, GiveConsent } from '../onboarding.ts';
import type { Onboarding } from '../service.ts';
import { browserOf } from './browser.ts';
import { faultOf } from './faults.ts';
import type { ProgressPages } from './progress.ts';

/** Handles the forms of our pages: each gets a redirect to the page with the next step, or the form again. */
export function createSubmissions(deps: {
  onboarding: Pick<Onboarding, 'createOrganization' | 'consent' | 'progress'>;
  progress: ProgressPages;
  /** Redirects to the page that shows the next step. */
  home: (res: Response) => void;
}) {
  const { onboarding, progress, home } = deps;

  /** Returns false for an attempt of another tab, with another sign-in. */
  async function isOwnAttempt(res: Response): Promise<boolean> {
    const { step } = await onboarding.progress(callerOf(res), browserOf(res).sessionId);
    return step !== 'create_org';
  }

  return {
    async createOrganization(req: Request, res: Response): Promise<void> {
      const name = typeof req.body.name === 'string' ? req.body.name : '';
      try {
        parseQuery(NoQuery, req.query);
        const request = parseBody(CreateOrganization, req.body);
        const author = (organizationId: OrganizationId) => authorIn(organizationId, req, res);
        await onboarding.createOrganization(callerOf(res), request, author);
      } catch (err) {
        if (!(err instanceof Problem)) throw err;
        const isRunning = err.code === 'onboarding_in_progress';
        if (isRunning && (await isOwnAttempt(res))) return home(res);
        const nameFault = onlyFaultOf('/name', err);
        if (nameFault !== undefined) return progress.showForm(req, res, err.status, { name, nameFault });
        if (err.status < 500 && !isRunning) throw err;
        // A retry must send the same name, so the form is filled in with it.
        const { title, text } = faultOf(err.code);
        res.set(err.headers);
        return progress.showForm(req, res, err.status, { name, alert: `${title}. ${text}` });
      }
      home(res);
    },

    async giveConsent(req: Request, res: Response): Promise<void> {
      parseQuery(NoQuery, req.query);
      const request = parseBody(GiveConsent, req.body);
      try {
        const author = (organizationId: OrganizationId) => authorIn(organizationId, req, res);
        await onboarding.consent(callerOf(res), request, author);
      } catch (err) {
        if (!(err instanceof Problem && err.code === 'onboarding_session_used')) throw err;
        // A double click: the first one may have sent the same decision.
        const { decision } = await onboarding.progress(callerOf(res), request.session);
        if (decision !== request.decision) throw err;
      }
      home(res);
    },
  };
}

function onlyFaultOf(pointer: string, problem: Problem): string | undefined {
  const errors = problem.errors ?? [];
  return errors.every((error) => error.pointer === pointer) ? errors[0]?.detail : undefined;
}
