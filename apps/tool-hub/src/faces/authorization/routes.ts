import { OAuthError } from '@legate/oauth';
import {
  type AuthenticationFailures,
  formOf,
  noStore,
  oauthErrorHandler,
  tokenEndpoint,
} from '@legate/oauth/express';
import { limitStrangers, onlyNavigations } from '@legate/rate-limit/express';
import { inOnePiece, type Logger, type MemoryBudget, methodNotAllowed, Problem } from '@legate/service';
import cors from 'cors';
import express, {
  type ErrorRequestHandler,
  type Request,
  type RequestHandler,
  type Response,
  Router,
} from 'express';
import type { Strangers } from '../../limits/strangers.ts';
import type { createDynamicClients } from '../../oauth-clients/dynamic-clients.ts';
import { readFormText } from '../../requests/read-form-text.ts';
import type { BrowserCookie } from '../accounts/browser-cookie.ts';
import { showFault, unexpected } from '../pages/fault-page.ts';
import { PageFault } from '../pages/page-fault.ts';
import type { Authorize } from './authorize.ts';
import type { createInteractions, Decision, NextPage } from './interactions.ts';
import { sendConsent, sendKeptOut } from './pages.ts';
import type { SignInStep } from './sign-in-step.ts';
import type { createTokenEndpoint } from './token-endpoint.ts';

/** Endpoints at which a user signs in and decides, in a browser */
export function browserRoutes(deps: {
  publicUrl: string;
  mcpResource: string;
  lifetimeSeconds: number;
  cookie: BrowserCookie;
  strangers: Pick<Strangers, 'authorizations' | 'interactions'>;
  memory: MemoryBudget;
  authorize: Authorize;
  interactions: ReturnType<typeof createInteractions>;
  signIn: SignInStep;
  log: Logger;
}): Router {
  const { publicUrl, mcpResource, lifetimeSeconds, cookie, interactions, signIn } = deps;
  const base = new URL(publicUrl).pathname.replace(/\/$/, '');
  const pathOf = (uid: string): string => `${base}/oauth/interaction/${uid}`;

  async function show(req: Request, res: Response, browser: string, page: NextPage): Promise<void> {
    const formOf = ({ uid, token }: { uid: string; token: string }) => ({
      action: `${pathOf(uid)}/decision`,
      otherAccount: `${pathOf(uid)}/another-account`,
      token,
    });
    switch (page.kind) {
      case 'answered':
        return;
      case 'sign_in':
        return redirect(res, await signIn.begin(page.uid, browser, { demand: page.demand }));
      case 'kept_out':
        return sendKeptOut(req, res, page, { ...formOf(page.form), redirectUri: page.redirectUri });
      case 'consent':
        return sendConsent(req, res, page, { ...formOf(page.form), mcpResource, lifetimeSeconds });
    }
  }

  const tooMany = (seconds: number) => new PageFault('too_many', `for ${seconds} s`);
  const browserAndClientOf = (req: Request) => [cookie.read(req) ?? 'none', String(req.query.client_id)];
  const begins = limitStrangers(deps.strangers.authorizations, tooMany, browserAndClientOf);
  const steps = limitStrangers(deps.strangers.interactions, tooMany, (req) => [String(req.params.uid)]);
  const router = Router();
  router.use(
    ['/oauth/authorize', '/oauth/interaction', '/oauth/callback'],
    onlyNavigations((found) => new PageFault('not_navigated', `requested as ${found}`)),
  );
  router
    .route('/oauth/authorize')
    .get(begins, deps.authorize.begin)
    .all(methodNotAllowed(['GET', 'HEAD']));
  router
    .route('/oauth/authorize/:uid')
    .get(deps.authorize.resume)
    .all(methodNotAllowed(['GET', 'HEAD']));
  router
    .route('/oauth/interaction/:uid')
    .get(steps, async (req, res) => {
      noStore(res);
      const browser = cookie.ensure(req, res);
      await show(req, res, browser, await interactions.next(req, res, browser));
    })
    .all(methodNotAllowed(['GET', 'HEAD']));
  router
    .route('/oauth/interaction/:uid/another-account')
    .get(steps, async (req, res) => {
      const browser = cookie.ensure(req, res);
      const uid = await interactions.forgetSignIn(req, res, browser);
      redirect(res, await signIn.begin(uid, browser, { choosesAccount: true }));
    })
    .all(methodNotAllowed(['GET', 'HEAD']));
  router
    .route('/oauth/interaction/:uid/decision')
    .post(refuseOtherSites, readFormText(deps.memory), async (req, res) => {
      noStore(res);
      const form = new URLSearchParams(typeof req.body === 'string' ? req.body : '');
      const browser = cookie.read(req);
      await interactions.decide(req, res, browser, {
        decision: decisionOf(form.get('decision')),
        formToken: form.get('token') ?? '',
      });
    })
    .all(methodNotAllowed(['POST']));
  router.get('/oauth/callback', async (req, res, next) => {
    const uid = await signIn.finish(new URL(req.originalUrl, 'http://localhost').search, cookie.read(req));
    if (uid === undefined) return next(); // the callback of a user who connects an account
    redirect(res, pathOf(uid));
  });
  router.use(showFault(deps.log, 'authorization', toFault));
  return router;
}

/** Endpoints for clients without a browser, besides the token endpoint */
export function clientRoutes(deps: {
  endpoint: Pick<ReturnType<typeof createTokenEndpoint>, 'revoke' | 'isKnown'>;
  /** Undefined if clients cannot register themselves */
  dynamic: Pick<ReturnType<typeof createDynamicClients>, 'register'> | undefined;
  strangers: Pick<Strangers, 'registrations'>;
  failures: AuthenticationFailures;
  memory: MemoryBudget;
  log: Logger;
}): Router {
  const { endpoint, dynamic } = deps;
  const anyOrigin = cors({ origin: '*', methods: ['POST'], maxAge: 7200 });
  const router = Router();
  router.all(
    '/oauth/revoke',
    anyOrigin,
    ...tokenEndpoint(deps.failures, {
      readText: readFormText(deps.memory),
      countsRefusal: () => true,
      takesAnyToken: true,
      isKnown: endpoint.isKnown,
    }),
    async (req, res) => {
      await endpoint.revoke(req, formOf(res));
      res.status(200).end();
    },
  );
  if (dynamic)
    router
      .route('/oauth/register')
      .all(anyOrigin)
      .post(
        limitStrangers(deps.strangers.registrations, tooManyRegistrations, originOf),
        inOnePiece(MAX_REGISTRATION_BYTES, express.json({ limit: MAX_REGISTRATION_BYTES, strict: true })),
        (req, res) => {
          noStore(res);
          const registration = dynamic.register(req.body);
          if (registration.kind === 'registered') res.status(201).json(registration.response);
          else
            res
              .status(400)
              .json({ error: registration.error, error_description: REGISTRATION_TEXT[registration.error] });
        },
      )
      .all(methodNotAllowed(['POST']))
      .all(unreadableRegistration);
  router.use(oauthErrorHandler(deps.log));
  return router;
}

/** Returns the origin of the page that registers a client; empty if no page does. */
const originOf = (req: Request) => [req.get('Origin') ?? ''];

const tooManyRegistrations = (seconds: number) =>
  new OAuthError('temporarily_unavailable', 'too many registrations', {
    status: 429,
    headers: { 'Retry-After': String(seconds) },
  });

const MAX_REGISTRATION_BYTES = 16_384;

/** Descriptions of errors (RFC 7591 §3.2.2). They never repeat what the client sent. */
const REGISTRATION_TEXT = {
  invalid_redirect_uri:
    'None of the redirect URIs can be used: they must be https, http on a loopback address, or have a scheme that this server allows.',
  invalid_client_metadata: 'The client metadata cannot be used.',
} as const;

const unreadableRegistration: ErrorRequestHandler = (err, _req, res, next) => {
  const status = err instanceof Error && 'status' in err ? Number(err.status) : 500;
  if (err instanceof OAuthError || err instanceof Problem || status < 400 || status > 499) return next(err);
  noStore(res);
  res.status(status).json({
    error: 'invalid_client_metadata',
    error_description: REGISTRATION_TEXT.invalid_client_metadata,
  });
};

/** Refuses a form that another site sends, even with the right cookie, token and browser. */
const refuseOtherSites: RequestHandler = (req, _res, next) => {
  const site = req.get('Sec-Fetch-Site');
  if (site !== undefined && site !== 'same-origin')
    throw new PageFault('sent_elsewhere', `Sec-Fetch-Site: ${site.slice(0, 20)}`);
  next();
};

function decisionOf(value: string | null): Decision {
  if (value === 'allow' || value === 'deny') return value;
  throw new PageFault('bad_request', 'decision');
}

const redirect = (res: Response, url: string): void => {
  res.set('Cache-Control', 'no-store').redirect(303, url);
};

function toFault(err: unknown): PageFault | undefined {
  if (err instanceof Problem && err.status === 405) return undefined;
  if (err instanceof OAuthError && err.status < 500) return new PageFault('bad_request', err.reason);
  return unexpected(err);
}
