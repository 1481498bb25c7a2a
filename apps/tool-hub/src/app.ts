import { INTERNAL_PATH } from '@legate/management-contract';
import {
  accessLog,
  apiSecurityHeaders,
  createExpressApp,
  type Health,
  problemHandler,
  requestContext,
  type Tracer,
  unmatchedRoute,
} from '@legate/service';
import type { Express } from 'express';
import { openCore } from './core.ts';
import { frontPages } from './faces/api/front-pages.ts';
import { mountApi } from './faces/api/open.ts';
import { openFaces } from './faces.ts';
import type { Parts } from './parts.ts';
import type { Platform } from './platform/platform.ts';

/** Middleware that runs before all features */
export interface Front {
  readonly health: Health;
  /** undefined: no spans are created. */
  readonly tracer?: Tracer | undefined;
  /** Proxies in front of the hub whose report of the client's address is trusted */
  readonly trustedProxies?: readonly string[];
}

/** Mounts the routes of the hub. */
export function createApp(
  platform: Platform,
  parts: Parts,
  { health, tracer, trustedProxies = [] }: Front,
): { readonly app: Express; close(): Promise<void> } {
  const { publicUrl, log, metrics } = platform;
  const core = openCore(platform, parts);
  const { api, agents, accounts, authorization, revocations, tokenEndpoint } = openFaces(
    platform,
    parts,
    core,
  );
  const app = createExpressApp({ trustedProxies });
  app.use(requestContext(tracer), accessLog(log), apiSecurityHeaders(), metrics.observeRequests);
  mountApi(app, platform, api);
  app.use(agents.routes);
  app.use(revocations.logoutRoutes);
  if (authorization) app.use(authorization.routes); // first, because both share one redirect URI
  if (tokenEndpoint.keyRoutes) app.use(tokenEndpoint.keyRoutes);
  app.use('/oauth', accounts.publicRoutes);
  app.use('/connect', accounts.pageRoutes);
  if (revocations.routes) app.use(INTERNAL_PATH, revocations.routes);
  if (tokenEndpoint.routes) app.use(tokenEndpoint.routes);
  app.use(health.router, frontPages(publicUrl), unmatchedRoute);
  app.use(problemHandler({ log, typeBase: `${publicUrl}/errors` }));
  return { app, close: core.close };
}
