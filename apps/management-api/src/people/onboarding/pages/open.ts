import type { Request, RequestHandler, Router } from 'express';
import type { Operation } from '../../../http/api/operation.ts';
import type { Platform } from '../../../platform/platform.ts';
import { tokenIn } from '../invitation-cookie.ts';
import type { OnboardingOptions, OpenOnboarding } from '../open.ts';
import { pageErrors, pageErrorsForBrowsers } from './page-errors.ts';
import { createPages } from './pages.ts';
import { pageRoutes } from './routes.ts';
import { createWays } from './ways.ts';

/** Creates our pages, below `/onboarding`, and the API operations whose refusals are pages in a browser. */
export function openOnboardingPages(
  { issuer, log }: Platform,
  { pagesUrl, returnTo, clients }: OnboardingOptions,
  parts: {
    onboarding: OpenOnboarding;
    /** Admits a caller like one of the API, once the caller is set. */
    admission: readonly RequestHandler[];
  },
): { readonly operations: Operation[]; readonly routes: Router } {
  const { onboarding, invited, begin, browserCookie: cookie, invitationCookie, attempts } = parts.onboarding;
  const ways = createWays({ pagesUrl, returnTo, clients });
  const pages = createPages(ways.base);
  const showFault = pageErrors({
    pages,
    wayOn: (way, req: Request) =>
      ways.wayOn(way, ways.known(req.query.return_to) ?? cookie.read(req)?.returnTo),
    hasInvitation: (req) => tokenIn(invitationCookie, req) !== undefined,
    log,
  });
  return {
    operations: parts.onboarding.operations(pageErrorsForBrowsers(showFault)),
    routes: pageRoutes({
      ...{ onboarding, invited, begin, cookie, invitationCookie, attempts },
      ...{ pages, ways, issuer, showFault },
      admission: parts.admission,
    }),
  };
}
