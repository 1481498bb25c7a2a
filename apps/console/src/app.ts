import type { TrustedIssuer } from '@legate/jwt';
import { openIdConfigurationUrl } from '@legate/oauth';
import { type Backend, createSecureStore, createUseOnce, type EncryptionKeys } from '@legate/secure-store';
import {
  accessLog,
  consoleHeaders,
  createExpressApp,
  type Health,
  type Logger,
  type Metrics,
  problemHandler,
  requestContext,
  type Tracer,
  unmatchedRoute,
} from '@legate/service';
import { type Express, Router } from 'express';
import { accountRoutes } from './account/routes.ts';
import { createSignOut } from './account/sign-out.ts';
import type { BrowserConfig } from './pages/browser-config.ts';
import { frontPages } from './pages/front-pages.ts';
import { createPages } from './pages/routes.ts';
import { healthRoutes } from './peers/health.ts';
import { fromConsole } from './requests/from-console.ts';
import { createCookies } from './sessions/cookies.ts';
import { createSessions } from './sessions/sessions.ts';
import { backChannelLogoutRoutes } from './sign-in/back-channel-logout.ts';
import { createFindSession } from './sign-in/find-session.ts';
import { createIdentityProvider } from './sign-in/identity-provider.ts';
import { createRenewal } from './sign-in/renewal.ts';
import { signInRoutes } from './sign-in/routes.ts';
import { proxyRoutes } from './upstream/routes.ts';
import { createUpstreams } from './upstream/upstream.ts';

export interface AppDependencies
  extends Pick<
    Parameters<typeof createIdentityProvider>[0],
    'clientId' | 'credentials' | 'resource' | 'organizationRule' | 'authorizationParameters'
  > {
  readonly publicUrl: string;
  /** Folder of the built pages */
  readonly webRoot: string;
  readonly browserConfig: BrowserConfig;
  readonly trustedProxies?: readonly string[];
  /** The identity provider, and the keys that sign its logout tokens */
  readonly issuer: TrustedIssuer;
  readonly managementApiUrl: string;
  readonly toolHubUrl: string;
  readonly sessionIdleSeconds: number;
  readonly sessionLifetimeSeconds: number;
  readonly backend: Backend;
  readonly encryptionKeys: EncryptionKeys;
  /** Sends requests to the identity provider, and those of health checks */
  readonly fetch: typeof globalThis.fetch;
  /** Sends requests to the services: waits as long as a tool call may take, and reads responses up to 4 MiB */
  readonly upstreamFetch: typeof globalThis.fetch;
  /** Reads exports of the audit trail, up to 16 MiB */
  readonly exportFetch: typeof globalThis.fetch;
  readonly pause: (ms: number) => Promise<void>;
  /** Sign-ins that may begin in a minute, in place of the default; for tests */
  readonly signInsPerMinute?: number | undefined;
  readonly clock: () => Date;
  readonly log: Logger;
  readonly health: Health;
  readonly metrics: Metrics;
  /** undefined: no spans are created. */
  readonly tracer?: Tracer | undefined;
}

export function createApp(deps: AppDependencies): Express {
  const { publicUrl, log } = deps;
  const app = createExpressApp({ trustedProxies: deps.trustedProxies ?? [] });
  app.use(requestContext(deps.tracer), accessLog(log), deps.metrics.observeRequests, consoleHeaders());
  app.use(deps.health.router);
  app.use('/bff', fromConsole(publicUrl), createBff(deps), unmatchedRoute);
  app.use(createPages(deps));
  app.use(frontPages(publicUrl), unmatchedRoute);
  app.use(problemHandler({ log, typeBase: `${publicUrl}/errors` }));
  return app;
}

/** Serves everything below `/bff`. Only this part handles tokens. */
function createBff(deps: AppDependencies): Router {
  const { publicUrl, issuer, clock, log, pause, fetch, managementApiUrl, toolHubUrl } = deps;
  const store = createSecureStore({ backend: deps.backend, keys: deps.encryptionKeys });
  const sessions = createSessions({
    store,
    idleSeconds: deps.sessionIdleSeconds,
    lifetimeSeconds: deps.sessionLifetimeSeconds,
    clock,
  });
  const cookies = createCookies({ keys: deps.encryptionKeys, secure: publicUrl.startsWith('https:') });
  const identityProvider = createIdentityProvider({ ...deps, issuer: issuer.issuer });
  const renewal = createRenewal({ store, sessions, identityProvider, pause, clock, log });
  const findSession = createFindSession({ cookies, sessions, renewal });
  const upstreams = createUpstreams({
    urls: { api: managementApiUrl, hub: toolHubUrl },
    fetch: deps.upstreamFetch,
    exportFetch: deps.exportFetch,
    renew: findSession.renew,
  });
  const { renewIfDue } = renewal;
  const signOut = createSignOut({ publicUrl, sessions, identityProvider, upstreams, renewIfDue, log });
  const addresses = {
    management_api: `${managementApiUrl}/readyz`,
    tool_hub: `${toolHubUrl}/readyz`,
    identity_provider: openIdConfigurationUrl(issuer.issuer),
  };
  const takeOnce = createUseOnce(deps.backend, 'sign-in:');
  const pingStore = () => deps.backend.ping();
  const router = Router();
  router.use(
    signInRoutes({
      ...{ publicUrl, identityProvider, sessions, cookies, takeOnce, pingStore, clock, log },
      signInsPerMinute: deps.signInsPerMinute,
    }),
  );
  router.use(backChannelLogoutRoutes({ issuer, clientId: deps.clientId, sessions, store, clock, log }));
  router.use(healthRoutes({ addresses, fetch, clock }));
  router.use(accountRoutes({ findSession, sessions, upstreams, signOut, cookies }));
  router.use(proxyRoutes({ findSession, upstreams }));
  return router;
}
