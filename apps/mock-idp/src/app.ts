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
  methodNotAllowed,
  problemHandler,
  requestContext,
  type Tracer,
  unmatchedRoute,
} from '@legate/service';
import type { Express, RequestHandler } from 'express';
import { createAdminRouter } from './admin/routes.ts';
import { storeProblem } from './admin/store-problem.ts';
import { allowAnyOrigin } from './cross-origin.ts';
import { createEndpointAuthenticator } from './directory/client-authentication.ts';
import type { Directory } from './directory/directory.ts';
import { frontPages } from './front-pages.ts';
import { createAdapterFactory } from './openid/adapter.ts';
import { createApiAccess } from './openid/api-access.ts';
import { toClientMetadata } from './openid/clients.ts';
import { createOpenIdEngine } from './openid/engine.ts';
import { createHandoverSecret } from './openid/handover-secret.ts';
import { createLogoutAnnouncer } from './openid/logout-announcer.ts';
import { createProviderPages } from './openid/pages.ts';
import { createOpenIdProvider } from './openid/provider.ts';
import { createPages } from './pages/pages.ts';
import { STYLE, STYLE_PATH } from './pages/style.ts';
import { createSignInAttempts } from './sign-in/attempts.ts';
import { createSignInRouter } from './sign-in/routes.ts';
import { createSignIn } from './sign-in/service.ts';
import { createExchangeRoute } from './token-endpoint/exchange.ts';
import { createTokenEndpointRouter } from './token-endpoint/routes.ts';
import { createTokenExchange } from './token-exchange/service.ts';
import { createSubjectTokenCheck } from './token-exchange/subject-token.ts';

export interface AppDependencies {
  readonly issuer: string;
  readonly keys: SigningKeys;
  readonly cookieKeys: readonly string[];
  /** Undefined: there is no admin API */
  readonly adminApiKey: string | undefined;
  readonly directory: Directory;
  readonly backend: Backend;
  /** Other processes may be on the same store, and this one's keys are not in it: then they rotate by the setting alone. */
  readonly isStoreShared: boolean;
  /** The guarded client's; tells clients of a logout. */
  readonly fetch: typeof globalThis.fetch;
  readonly idTokenTtlSeconds: number;
  /** Slows down who guesses client secrets; undefined: nothing does. */
  readonly failures?: AuthenticationFailures | undefined;
  readonly trustedProxies?: readonly string[];
  readonly clock: () => Date;
  readonly log: Logger;
  readonly health: Health;
  readonly metrics: Metrics;
  /** undefined: no spans are made. */
  readonly tracer?: Tracer | undefined;
}

/** @throws {Error} when a client of the directory is one that oidc-provider cannot serve */
export async function createApp(deps: AppDependencies): Promise<Express> {
  const { issuer, keys, directory, backend, clock, log } = deps;
  const handoverSecret = createHandoverSecret();
  const apiAccess = createApiAccess(directory);
  const adapter = createAdapterFactory({
    backend,
    clock,
    async findClient(clientId) {
      const client = await directory.clients.find(clientId);
      return client && toClientMetadata(client, handoverSecret);
    },
  });
  const pages = createPages();
  const engine = createOpenIdEngine({
    issuer,
    build: () =>
      createOpenIdProvider({ ...deps, apiAccess, adapter, pages: createProviderPages(directory, pages) }),
  });
  const checkClient: Parameters<typeof createAdminRouter>[0]['checkClient'] = async (client) => {
    await engine.provider().Client.validate(toClientMetadata(client, handoverSecret));
  };
  for (const client of await directory.clients.list()) {
    await checkClient(client).catch((cause: unknown) => {
      throw new Error(`client ${client.clientId} cannot be served`, { cause });
    });
  }

  const authenticate = createEndpointAuthenticator({
    directory,
    issuer,
    tokenEndpoint: `${issuer}/oauth/token`,
    backend,
    clock,
  });
  const exchange = createTokenExchange({
    directory,
    issuer,
    keys,
    clock,
    checkSubjectToken: createSubjectTokenCheck({ issuer, keys, clock }),
  });
  const toProvider: RequestHandler = (req, res) => engine.handle(req, res);

  const app = createExpressApp(deps.trustedProxies ? { trustedProxies: deps.trustedProxies } : {});
  app.use(
    requestContext(deps.tracer),
    accessLog(log),
    deps.metrics.observeRequests,
    apiSecurityHeaders(),
    deps.health.router,
  );

  app.get(STYLE_PATH, (_req, res) => {
    res.type('css').set('Cache-Control', 'public, max-age=3600').send(STYLE);
  });

  app.all(['/oauth/token', '/oauth/revoke'], allowAnyOrigin(['POST']));
  app.use(
    createTokenEndpointRouter({
      authenticate,
      answerExchange: createExchangeRoute({ authenticate, directory, exchange, log }),
      engine,
      handoverSecret,
      apiAccess,
      failures: deps.failures,
      log,
    }),
  );

  // Ours, because a key that has been replaced is published until its time is over, not until the next start.
  app.all('/.well-known/jwks.json', allowAnyOrigin(['GET']));
  app.get('/.well-known/jwks.json', (_req, res) => {
    res.set('Cache-Control', 'public, max-age=60').json(keys.publicJwks());
  });
  app.all('/.well-known/jwks.json', onlyGet);
  const metadata = ['/.well-known/openid-configuration', '/.well-known/oauth-authorization-server'];
  app.all(metadata, allowAnyOrigin(['GET']));
  app.get(metadata, toProvider);
  app.all(metadata, onlyGet);
  app.all('/userinfo', allowAnyOrigin(['GET', 'POST']));
  app
    .route('/userinfo')
    .get(toProvider)
    .post(toProvider)
    .all(methodNotAllowed(['GET', 'HEAD', 'POST']));

  app.use(
    createSignInRouter({
      engine,
      directory,
      signIn: createSignIn({ directory, attempts: createSignInAttempts(backend) }),
      pages,
      log,
    }),
  );
  // Method by method, because oidc-provider answers another one with a bare 404.
  const byBrowser = ['/oauth/authorize', '/oauth/authorize/:uid', '/oauth/logout', '/oauth/logout/success'];
  app.route(byBrowser).get(allowOwnScripts, toProvider).all(onlyGet);
  app
    .route('/oauth/logout/confirm')
    .post(allowOwnScripts, toProvider)
    .all(methodNotAllowed(['POST']));

  if (deps.adminApiKey !== undefined) {
    app.use(
      '/admin',
      createAdminRouter({
        ...deps,
        adminApiKey: deps.adminApiKey,
        checkClient,
        tellSignedOut: createLogoutAnnouncer({ engine, directory, log }),
        rotateKeys: deps.isStoreShared
          ? undefined
          : async () => {
              const kid = await keys.rotate();
              engine.rebuild();
              return kid;
            },
      }),
    );
  }
  app.use(
    frontPages(issuer),
    unmatchedRoute,
    storeProblem,
    problemHandler({ log, typeBase: `${issuer}/errors` }),
  );
  return app;
}

const onlyGet = methodNotAllowed(['GET', 'HEAD']);

/**
 * oidc-provider answers some requests with a page whose script submits its form (`response_mode=form_post`, a change of
 * account), and adds the script's digest to `script-src` where there is one. `'report-sample'` allows nothing by itself.
 * Where the form leads is not known here, so there is no `form-action`; our own pages set theirs.
 */
const allowOwnScripts: RequestHandler = (_req, res, next) => {
  res.set(
    'Content-Security-Policy',
    "default-src 'none'; script-src 'report-sample'; frame-ancestors 'none'; base-uri 'none'",
  );
  next();
};
