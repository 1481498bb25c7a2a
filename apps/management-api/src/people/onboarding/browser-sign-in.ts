import type { OrganizationId } from '@legate/ids';
import { validationFailed } from '@legate/service';
import type { Request, Response } from 'express';
import { authorIn } from '../../callers/admission/author-of-request.ts';
import { PAGE_SESSION } from '../../domain/credential.ts';
import type { OnboardingSessionId } from '../../domain/ids.ts';
import type { Attempts } from './attempts.ts';
import { type BrowserCookie, newBrowserSecret } from './browser-cookie.ts';
import type { Onboarding } from './service.ts';
import type { createSignInCookie, SignIn } from './sign-in.ts';

export type BrowserSignIn = ReturnType<typeof createBrowserSignIn>;

/** Redirects a browser to the identity provider and handles its return, with the cookies that connect the two. */
export function createBrowserSignIn(deps: {
  onboarding: Onboarding;
  signIn: SignIn;
  cookie: ReturnType<typeof createSignInCookie>;
  keepTokens: (sessionId: OnboardingSessionId, tokens: object) => Promise<void>;
  attempts: Pick<Attempts, 'countSignIn'>;
  /** The pages of applications that a sign-in may return to; the first one is the default. */
  returnTo: readonly [string, ...string[]];
  pagesUrl: string;
  browserCookie: BrowserCookie;
  /** Returns true if the browser has opened the link of an invitation. */
  hasInvitation: (req: Request) => boolean;
}) {
  const { onboarding, cookie, pagesUrl } = deps;
  return {
    /**
     * @param returnTo one of the configured pages; undefined: the first one
     * @param options.inPages true if our own pages continue before the browser returns to that page
     * @returns the URL at the identity provider
     * @throws {Problem} 400 for an unknown page, 502, 503
     * @throws {RateLimitExceeded}
     */
    async begin(
      req: Request,
      res: Response,
      returnTo: string = deps.returnTo[0],
      options: { inPages?: boolean; anotherUser?: boolean } = {},
    ): Promise<string> {
      // Must equal a configured page, or this would be an open redirect.
      if (!deps.returnTo.includes(returnTo)) {
        throw validationFailed([
          { parameter: 'return_to', code: 'invalid_enum', detail: 'Must be one of the configured pages.' },
        ]);
      }
      deps.attempts.countSignIn(req);
      const inPages = options.inPages === true || returnTo === pagesUrl;
      const { url, pending } = await deps.signIn.begin(returnTo, { ...options, inPages });
      cookie.set(res, pending);
      return url;
    },

    /** @returns the page that continues. @throws {Problem} 400 `oauth_state_invalid`, 403, 409, 502, 503 */
    async complete(req: Request, res: Response): Promise<string> {
      const pending = cookie.read(req);
      cookie.clear(res);
      const { search } = new URL(req.originalUrl, 'http://localhost');
      const signedIn = await deps.signIn.complete(pending, search);
      const returnTo = pending?.returnTo ?? deps.returnTo[0];
      if (!signedIn) {
        const code = 'idp_access_denied';
        return pending?.inPages
          ? withQuery(pagesUrl, { code, return_to: returnTo })
          : withQuery(returnTo, { code });
      }
      const { identity, tokens } = signedIn;
      const user = { subject: identity.userId, email: identity.email, credential: PAGE_SESSION };
      const way = {
        returnTo,
        authorIn: (organizationId: OrganizationId) => authorIn(organizationId, req, res, user),
      };
      if (!pending?.inPages) {
        const session = await onboarding.start(identity, way);
        await deps.keepTokens(session, tokens);
        return withQuery(returnTo, { session });
      }
      const secret = newBrowserSecret();
      const sessionId = await onboarding.start(identity, {
        ...way,
        browserSecret: secret,
        isInvited: deps.hasInvitation(req),
      });
      await deps.keepTokens(sessionId, tokens);
      // Replaces an older cookie: a browser never continues with a session from before its sign-in.
      deps.browserCookie.set(res, { sessionId, userId: identity.userId, secret, returnTo });
      return pagesUrl;
    },
  };
}

function withQuery(page: string, parameters: Record<string, string>): string {
  const url = new URL(page);
  for (const [name, value] of Object.entries(parameters)) url.searchParams.set(name, value);
  return url.href;
}
