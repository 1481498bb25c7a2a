import { hash } from 'node:crypto';
import { createStrangerBudget } from '@legate/rate-limit';
import { onlyNavigations } from '@legate/rate-limit/express';
import type { UseOnce } from '@legate/secure-store';
import { type Logger, methodNotAllowed } from '@legate/service';
import { type Request, type Response, Router } from 'express';
import { problem } from '../domain/problem-codes.ts';
import { type Cookies, SIGN_IN_SECONDS } from '../sessions/cookies.ts';
import { deviceOf } from '../sessions/device.ts';
import { type Sessions, sessionKeyOf } from '../sessions/sessions.ts';
import { SignInFailed } from './failures.ts';
import type { IdentityProvider } from './identity-provider.ts';
import { returnPath } from './return-to.ts';
import { tokensOf } from './tokens-of.ts';

/** Sign-ins that may begin in a minute, in this process (docs/adr/0089) */
const SIGN_INS_PER_MINUTE = 480;

/** `GET /bff/sign-in` and `GET /bff/callback`: the two navigations through which a session begins. */
export function signInRoutes(deps: {
  publicUrl: string;
  identityProvider: Pick<IdentityProvider, 'begin' | 'complete'>;
  sessions: Pick<Sessions, 'create' | 'findByKey' | 'remove'>;
  cookies: Cookies;
  takeOnce: UseOnce;
  /** Rejects while sessions cannot be stored. */
  pingStore: () => Promise<void>;
  /** Sign-ins that may begin in a minute, in place of the default; for tests */
  signInsPerMinute?: number | undefined;
  clock: () => Date;
  log: Logger;
}): Router {
  const { publicUrl, identityProvider, sessions, cookies, log } = deps;
  const now = () => Math.floor(deps.clock().getTime() / 1000);
  const budget = createStrangerBudget({
    perMinute: deps.signInsPerMinute ?? SIGN_INS_PER_MINUTE,
    clock: deps.clock,
  });

  /** Redirects to the path that `work` returns; after any failure, to our own error page with an error code of ours. */
  const orSignedOut =
    (work: (req: Request, res: Response) => Promise<string>) => async (req: Request, res: Response) => {
      res.set('Cache-Control', 'no-store');
      const path = await work(req, res).catch((err: unknown) => {
        const code = err instanceof SignInFailed ? err.code : 'sign_in_unavailable';
        log.warn({ code, err: err instanceof SignInFailed ? err.cause : err }, 'sign-in failed');
        return `/signed-out?code=${code}`;
      });
      res.redirect(303, path.startsWith('/') ? `${publicUrl}${path}` : path);
    };

  async function begin(req: Request, res: Response): Promise<string> {
    // Each sign-in that a stranger begins may send one made-up code to the identity provider, with our credentials.
    if (budget.take({ address: req.ip }).seconds > 0) throw new SignInFailed('too_many_sign_ins');
    // Nobody signs in at the identity provider for a session that could not be stored.
    await deps.pingStore();
    const id = cookies.readSession(req);
    const { url, pending } = await identityProvider.begin(
      returnPath(req.query.return_to, publicUrl),
      id === undefined ? undefined : sessionKeyOf(id),
    );
    cookies.setPending(res, pending);
    return url;
  }

  async function complete(req: Request, res: Response): Promise<string> {
    const pending = cookies.readPending(req);
    cookies.clearPending(res);
    const { search, searchParams } = new URL(req.originalUrl, publicUrl);
    if (!pending || searchParams.get('state') !== pending.state || pending.expiresAt <= now())
      throw new SignInFailed('sign_in_expired');
    const isFirst = await deps.takeOnce([hash('sha256', pending.state, 'base64url')], SIGN_IN_SECONDS);
    if (!isFirst) throw new SignInFailed('sign_in_expired');
    const grant = await identityProvider.complete(pending, search);
    const tokens = tokensOf(grant, now());
    if (!grant.identity || !tokens) throw new SignInFailed('identity_provider_fault');
    const { userId, organizationId, sid } = grant.identity;
    const previous = pending.previous && (await sessions.findByKey(pending.previous));
    if (previous) await sessions.remove(previous);
    const id = await sessions.create({
      userId,
      ...(organizationId !== undefined && { organizationId }),
      ...(sid !== undefined && { sid }),
      device: deviceOf(req.headers['user-agent']),
      tokens,
    });
    cookies.setSession(res, id);
    return pending.returnTo;
  }

  const router = Router();
  router
    .route('/sign-in')
    .get(
      onlyNavigations((found) =>
        problem('request_not_from_console', { detail: `Sec-Fetch-Dest: ${found}.` }),
      ),
      orSignedOut(begin),
    )
    .all(methodNotAllowed(['GET', 'HEAD']));
  router
    .route('/callback')
    .get(orSignedOut(complete))
    .all(methodNotAllowed(['GET', 'HEAD']));
  return router;
}
