import { clientNetwork, RateLimitExceeded, type RateLimiter } from '@legate/rate-limit';
import { methodNotAllowed } from '@legate/service';
import { type Request, type RequestHandler, type Response, Router } from 'express';
import { z } from 'zod';
import { jsonBody } from '../api/json-body.ts';
import { NoQuery, parseBody, parseQuery, validationFailed } from '../api/validation.ts';
import { callerOf } from '../caller/caller.ts';
import { authorIn } from '../changes/author.ts';
import { CreateOrganization, GiveConsent } from './onboarding.ts';
import type { Onboarding } from './service.ts';
import type { SignIn } from './sign-in.ts';
import type { SignInCookie } from './sign-in-cookie.ts';

const ATTEMPTS_PER_USER = 10;
const ATTEMPTS_PER_NETWORK = 30;
const SignInQuery = z.strictObject({ return_to: z.string().optional() });

const noStore: RequestHandler = (_req, res, next) => {
  res.set('Cache-Control', 'no-store');
  next();
};

/** Where a browser goes to sign in, and comes back; before any authentication. */
export function signInRoutes(deps: {
  onboarding: Onboarding;
  signIn: SignIn;
  cookie: SignInCookie;
  keepTokens: (sessionId: string, tokens: object) => Promise<void>;
  /** Of a window of ten minutes */
  attempts: RateLimiter;
  /** The pages of applications that may be returned to; the first one is the default. */
  returnTo: readonly [string, ...string[]];
}): Router {
  const { onboarding, signIn, cookie, returnTo } = deps;
  const router = Router();
  router
    .route('/sign-in')
    .all(noStore)
    .get(async (req, res) => {
      const wanted = parseQuery(SignInQuery, req.query).return_to ?? returnTo[0];
      // Equal to one of ours, or this would send anybody anywhere.
      if (!returnTo.includes(wanted)) {
        throw validationFailed([{ parameter: 'return_to', code: 'invalid_enum', detail: 'Not known here.' }]);
      }
      await countAttempt(deps.attempts, `sign-in:ip:${clientNetwork(req.ip)}`, ATTEMPTS_PER_NETWORK);
      const { url, pending } = await signIn.begin(wanted);
      cookie.set(res, pending);
      res.redirect(302, url);
    })
    .all(methodNotAllowed(['GET', 'HEAD']));
  router
    .route('/callback')
    .all(noStore)
    .get(async (req, res) => {
      const pending = cookie.read(req);
      cookie.clear(res);
      const signedIn = await signIn.complete(pending, new URL(req.originalUrl, 'http://localhost').search);
      const target = new URL(pending?.returnTo ?? returnTo[0]);
      if (signedIn) {
        const session = await onboarding.start(signedIn.identity, target.href);
        await deps.keepTokens(session, signedIn.tokens);
        target.searchParams.set('session', session);
      } else {
        target.searchParams.set('code', 'idp_access_denied');
      }
      res.redirect(303, target.href);
    })
    .all(methodNotAllowed(['GET', 'HEAD']));
  return router;
}

/** What the signed-in user does with his session; for admitted callers, with or without an organization. */
export function onboardingRoutes(deps: { onboarding: Onboarding; attempts: RateLimiter }): Router {
  const { onboarding, attempts } = deps;
  const router = Router();
  router.use(noStore);
  router
    .route('/session/:id')
    .get(async (req, res) => {
      parseQuery(NoQuery, req.query);
      res.json(await onboarding.find(callerOf(res), req.params.id));
    })
    .all(methodNotAllowed(['GET', 'HEAD']));
  router
    .route('/create-org')
    .post(limitAttempts(attempts), jsonBody(), async (req: Request, res: Response) => {
      parseQuery(NoQuery, req.query);
      const request = parseBody(CreateOrganization, req.body);
      const author = (organizationId: string) => authorIn(organizationId, req, res);
      res.json(await onboarding.createOrganization(callerOf(res), request, author));
    })
    .all(methodNotAllowed(['POST']));
  router
    .route('/consent')
    .post(jsonBody(), async (req: Request, res: Response) => {
      parseQuery(NoQuery, req.query);
      res.json(await onboarding.consent(callerOf(res), parseBody(GiveConsent, req.body)));
    })
    .all(methodNotAllowed(['POST']));
  return router;
}

function limitAttempts(attempts: RateLimiter): RequestHandler {
  return async (req, res, next) => {
    const { issuer, subject } = callerOf(res);
    await countAttempt(attempts, `create-org:user:${issuer}:${subject}`, ATTEMPTS_PER_USER);
    await countAttempt(attempts, `create-org:ip:${clientNetwork(req.ip)}`, ATTEMPTS_PER_NETWORK);
    next();
  };
}

/** @throws {RateLimitExceeded} */
async function countAttempt(attempts: RateLimiter, key: string, limit: number): Promise<void> {
  const usage = await attempts.consume(`onboarding:${key}`, limit);
  if (usage.exceeded) throw new RateLimitExceeded(usage.resetAfterSeconds);
}
