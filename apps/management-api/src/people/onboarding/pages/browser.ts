import { Problem } from '@legate/service';
import type { ErrorRequestHandler, RequestHandler, Response } from 'express';
import { setCaller } from '../../../callers/authentication/caller-of-request.ts';
import { PAGE_SESSION } from '../../../domain/credential.ts';
import type { BrowserCookie, SignedInBrowser } from '../browser-cookie.ts';
import { sessionNotFound } from '../problems.ts';
import type { Onboarding } from '../service.ts';

declare global {
  namespace Express {
    interface Locals {
      browser?: SignedInBrowser;
    }
  }
}

/**
 * Sets the caller from the browser's cookie; the caller is then admitted like one with a token. Claims in a form
 * about its sender are ignored.
 * @throws {Problem} 404 without our cookie, and for a session of another browser
 */
export function recognizeBrowser(deps: {
  onboarding: Pick<Onboarding, 'recognize'>;
  cookie: BrowserCookie;
  issuer: string;
  /**
   * True if the caller is admitted without the organization that the sign-in names, because they are about to join
   * another
   */
  withoutOrganization?: boolean;
}): RequestHandler {
  return async (req, res, next) => {
    const browser = deps.cookie.read(req);
    if (!browser) throw sessionNotFound();
    const { userId, email, name, ...identity } = await deps.onboarding.recognize(browser);
    const organizationId = deps.withoutOrganization ? undefined : identity.organizationId;
    // A sign-in has no roles and no scope: only API tokens have them.
    const unknown = { roles: undefined, scope: undefined, credential: PAGE_SESSION };
    setCaller(res, { issuer: deps.issuer, subject: userId, organizationId, email, name, ...unknown });
    res.locals.browser = browser;
    next();
  };
}

/** Returns the browser that `recognizeBrowser` has found. */
export function browserOf(res: Response): SignedInBrowser {
  const { browser } = res.locals;
  if (!browser) throw new Error('the browser was not recognized');
  return browser;
}

/** Clears the cookie of an ended session, so that the browser can start again. */
export function forgetEnded(cookie: BrowserCookie): ErrorRequestHandler {
  return (err, _req, res, next) => {
    const isOver = err instanceof Problem && (err.status === 404 || err.status === 410);
    if (isOver && err.code.startsWith('onboarding_session_')) cookie.clear(res);
    next(err);
  };
}
