import type { SigningKeys } from '@legate/jwt';
import type { AuthenticationFailures } from '@legate/oauth/express';
import type { Backend } from '@legate/secure-store';
import {
  accessLog,
  apiSecurityHeaders,
  createExpressApp,
  type Health,
  type Logger,
  type Metrics,
  PAGE_STYLE,
  problemHandler,
  requestContext,
  type Tracer,
  unmatchedRoute,
} from '@legate/service';
import type { Express, Router } from 'express';
import { createAdminRouter } from './admin/routes.ts';
import { storeProblem } from './admin/store-problem.ts';
import { createEndpointAuthenticator } from './directory/client-authentication.ts';
import type { Directory } from './directory/directory.ts';
import { frontPages } from './front-pages.ts';
import { allowAnyOrigin } from './openid/cross-origin.ts';
import { createLogoutAnnouncer } from './openid/logout-announcer.ts';
import { type OpenId, openOpenId } from './openid/openid.ts';
import { createOpenIdRouter } from './openid/routes.ts';
import { createPages, STYLE_PATH } from './pages/pages.ts';
import { OWN } from './personalities/own.ts';
import { type Endpoints, issuerPathOf, type Personality } from './personalities/personality.ts';
import { createSignInAttempts } from './sign-in/attempts.ts';
import { createSignInRouter } from './sign-in/routes.ts';
import { createSignIn } from './sign-in/service.ts';
import { createExchangeRoute, createOnBehalfOfRoute } from './token-endpoint/exchange.ts';
import { renewSignIn } from './token-endpoint/renew-sign-in.ts';
import { createTokenEndpointRouter } from './token-endpoint/routes.ts';
import { createAccessTokenExchange } from './token-exchange/access-token-exchange.ts';
import { createAccessTokenReader } from './token-exchange/access-token-subject.ts';
import { createActorTokenCheck } from './token-exchange/actor-token.ts';
import { createTokenExchange } from './token-exchange/service.ts';
import { createSubjectTokenCheck } from './token-exchange/subject-token.ts';

export interface AppDependencies {
  readonly issuer: string;
  /** The identity provider to imitate. Default: none */
  readonly personality?: Personality | undefined;
  readonly keys: SigningKeys;
  readonly cookieKeys: readonly string[];
  /** Key of the admin API. Undefined: there is no admin API */
  readonly adminApiKey: string | undefined;
  readonly directory: Directory;
  readonly backend: Backend;
  /**
   * True if other processes may use the same store. Signing keys are not in the store, so they are then rotated only by
   * the setting.
   */
  readonly isStoreShared: boolean;
  /** `fetch` of the guarded HTTP client; sends logout tokens to clients. */
  readonly fetch: typeof globalThis.fetch;
  /** `getJson` of the guarded HTTP client; reads the keys of the issuers of actor tokens. */
  readonly getJson: (url: string) => Promise<unknown>;
  readonly idTokenTtlSeconds: number;
  /** Limits guesses of client secrets. Undefined: guesses are not limited. */
  readonly failures?: AuthenticationFailures | undefined;
  readonly trustedProxies?: readonly string[];
  readonly clock: () => Date;
  readonly log: Logger;
  readonly health: Health;
  readonly metrics: Metrics;
  /** Undefined: no spans are created. */
  readonly tracer?: Tracer | undefined;
}

/** @throws {Error} when oidc-provider cannot serve a client of the directory */
export async function createApp(deps: AppDependencies): Promise<Express> {
  const { issuer, personality = OWN, keys, directory, backend, clock, log } = deps;
  const { origin, endpoints, metadataPaths } = addressesOf(issuer, personality);
  const pages = createPages();
  const openid = await openOpenId({
    issuer,
    personality,
    keys,
    cookieKeys: deps.cookieKeys,
    directory,
    backend,
    pages,
    fetch: deps.fetch,
    idTokenTtlSeconds: deps.idTokenTtlSeconds,
    clock,
    log,
  });
  const { engine } = openid;

  const app = createExpressApp(deps.trustedProxies ? { trustedProxies: deps.trustedProxies } : {});
  app.use(
    requestContext(deps.tracer),
    accessLog(log),
    deps.metrics.observeRequests,
    apiSecurityHeaders(),
    deps.health.router,
  );
  app.get(STYLE_PATH, (_req, res) => {
    res.type('css').set('Cache-Control', 'public, max-age=3600').send(PAGE_STYLE);
  });
  app.all(tokenPathsOf(endpoints), allowAnyOrigin(['POST']));
  const signIn = createSignIn({ directory, attempts: createSignInAttempts(backend) });
  app.use(
    tokenEndpoint(deps, openid),
    createOpenIdRouter({ engine, keys, endpoints, metadataPaths, metadata: personality.metadata }),
    createSignInRouter({ engine, directory, signIn, pages, log }),
  );
  if (deps.adminApiKey !== undefined) app.use('/admin', adminApi(deps, openid, deps.adminApiKey));
  app.use(
    frontPages({ origin, title: personality.kind.title, metadataPaths, jwksPath: endpoints.jwks }),
    unmatchedRoute,
    storeProblem,
    problemHandler({ log, typeBase: `${origin}/errors` }),
  );
  return app;
}

/** URLs of all parts: the issuer may have a path; our own parts are at the root of its origin. */
function addressesOf(issuer: string, personality: Personality) {
  const { origin } = new URL(issuer);
  const path = issuerPathOf(issuer);
  const metadataPaths = [
    `${path.replace(/\/$/, '')}/.well-known/openid-configuration`,
    ...personality.furtherMetadata(path),
  ];
  return { origin, endpoints: personality.endpoints(path), metadataPaths };
}

const tokenPathsOf = ({ token, revocation }: Endpoints): string[] => [
  token,
  ...(revocation ? [revocation] : []),
];

function tokenEndpoint(deps: AppDependencies, { engine, handoverSecret, apiAccess }: OpenId): Router {
  const { issuer, personality = OWN, keys, directory, backend, failures, clock, log } = deps;
  const { origin, endpoints } = addressesOf(issuer, personality);
  const authenticate = createEndpointAuthenticator({
    directory,
    audiences: { issuer, token_endpoint: `${origin}${endpoints.token}` },
    assertions: { ...personality.assertions, algorithms: personality.kind.assertionAlgorithms },
    errors: personality.errors,
    backend,
    clock,
  });
  const organizationClaim = organizationClaimOf(personality);
  const exchange = createTokenExchange({
    directory,
    issuer,
    keys,
    clock,
    organizationClaim,
    checkSubjectToken: createSubjectTokenCheck({
      issuer,
      keys,
      organizationClaim,
      clock,
    }),
    checkActorToken: createActorTokenCheck({ issuer, getJson: deps.getJson, clock }),
  });
  const { kind, accessTokens } = personality;
  const exchangeAccessToken =
    accessTokens &&
    createAccessTokenExchange({
      directory,
      read: createAccessTokenReader({ provider: engine.provider, issuer, keys, kind, clock }),
      issuer,
      keys,
      clock,
      personality,
      rules: accessTokens,
    });
  return createTokenEndpointRouter({
    endpoints,
    errors: personality.errors,
    authenticate,
    answerOnBehalfOf:
      personality.kind.exchange === 'on-behalf-of'
        ? createOnBehalfOfRoute({ authenticate, directory, exchangeAccessToken, log })
        : undefined,
    answerExchange: createExchangeRoute({
      authenticate,
      directory,
      exchange,
      exchangeAccessToken: personality.kind.exchange === 'token-exchange' ? exchangeAccessToken : undefined,
      rules: personality.idJags(issuerPathOf(issuer)),
      exchangeOff: personality.exchangeOff,
      renew: (req, client, refreshToken) =>
        renewSignIn({ engine, handoverSecret, errors: personality.errors }, req, client, refreshToken),
      log,
    }),
    engine,
    handoverSecret,
    apiAccess,
    failures,
    log,
  });
}

/** The claim of ID tokens that names the organization, if one does */
const organizationClaimOf = ({ kind, idTokensNameOrganization }: Personality): string | undefined =>
  idTokensNameOrganization ? kind.organizationClaim : undefined;

function adminApi(
  deps: AppDependencies,
  { engine, checkClient, apiAccess }: OpenId,
  adminApiKey: string,
): Router {
  const { issuer, personality = OWN, keys, directory, idTokenTtlSeconds, clock, log } = deps;
  async function rotateKeys(): Promise<string> {
    const kid = await keys.rotate();
    engine.rebuild();
    return kid;
  }
  return createAdminRouter({
    adminApiKey,
    directory,
    apiAccess,
    rules: personality,
    issuer,
    origin: new URL(issuer).origin,
    keys,
    clock,
    idTokenTtlSeconds,
    checkClient,
    notifySignedOut: createLogoutAnnouncer({ engine, directory, log }),
    rotateKeys: deps.isStoreShared ? undefined : rotateKeys,
    log,
  });
}
