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
 * Makes the browser's cookie a caller, who is then admitted like one with a token. A form's claims about its sender are
 * ignored.
 * @throws {Problem} 404 without a cookie of ours, and for a session of another browser
 */
export function recognizeBrowser(deps: {
  onboarding: Pick<Onboarding, 'recognize'>;
  cookie: BrowserCookie;
  issuer: string;
  /** True if the caller is to be admitted without the organization that the sign-in names: they are about to join another */
  withoutOrganization?: boolean;
}): RequestHandler {
  return async (req, res, next) => {
    const browser = deps.cookie.read(req);
    if (!browser) throw sessionNotFound();
    const { userId, email, name, ...identity } = await deps.onboarding.recognize(browser);
    const organizationId = deps.withoutOrganization ? undefined : identity.organizationId;
    // A sign-in has no roles and no scope: those belong to tokens for an API.
    const unknown = { roles: undefined, scope: undefined, credential: PAGE_SESSION };
    setCaller(res, { issuer: deps.issuer, subject: userId, organizationId, email, name, ...unknown });
    res.locals.browser = browser;
    next();
  };
}

/** The browser that `recognizeBrowser` has let pass. */
export function browserOf(res: Response): SignedInBrowser {
  const { browser } = res.locals;
  if (!browser) throw new Error('the browser was not recognized');
  return browser;
}

/** An ended session must not keep its browser from starting again. */
export function forgetEnded(cookie: BrowserCookie): ErrorRequestHandler {
  return (err, _req, res, next) => {
    const isOver = err instanceof Problem && (err.status === 404 || err.status === 410);
    if (isOver && err.code.startsWith('onboarding_session_')) cookie.clear(res);
    next(err);
  };
}
