import { INTERNAL_PATH } from '@legate/management-contract';
import {
  accessLog,
  apiSecurityHeaders,
  createExpressApp,
  problemHandler,
  requestContext,
  unmatchedRoute,
} from '@legate/service';
import type { Express } from 'express';
import { frontPages } from './faces/api/front-pages.ts';
import { clientKeysRoutes } from './faces/token-endpoint/routes.ts';
import { mountApi } from './wiring/api.ts';
import type { AppDependencies } from './wiring/app-dependencies.ts';
import { createCore } from './wiring/core.ts';
import {
  accountsFace,
  actorKeysPart,
  agentFace,
  authorizationFace,
  logoutRoutes,
  revocationRoutes,
  tokenEndpointFace,
  transactionTokens,
} from './wiring/faces.ts';

export type { AppDependencies } from './wiring/app-dependencies.ts';

export function createApp(deps: AppDependencies): Express {
  const { publicUrl, verifyWorkload, log, metrics } = deps;
  const core = createCore(deps);
  const accounts = accountsFace(deps, core);
  const authorization = authorizationFace(deps, core, accounts);
  const tokenEndpoint = tokenEndpointFace(deps, [
    authorization?.part,
    transactionTokens(deps),
    actorKeysPart(deps),
  ]);
  const app = createExpressApp({ trustedProxies: deps.trustedProxies ?? [] });
  app.use(requestContext(deps.tracer), accessLog(log), apiSecurityHeaders(), metrics.observeRequests);
  const ownRoutes = [accounts.apiRoutes, ...(authorization ? [authorization.apiRoutes] : [])];
  mountApi(app, deps, core, ownRoutes);
  app.use(agentFace(deps, core));
  app.use(logoutRoutes(deps, core));
  if (authorization) app.use(authorization.routes); // first: one redirect URI for both
  if (deps.clientKeys) app.use(clientKeysRoutes(deps.clientKeys));
  app.use('/oauth', accounts.publicRoutes);
  app.use('/connect', accounts.pageRoutes);
  if (verifyWorkload) app.use(INTERNAL_PATH, revocationRoutes(deps, core, verifyWorkload));
  if (tokenEndpoint) app.use(tokenEndpoint);
  app.use(deps.health.router, frontPages(publicUrl), unmatchedRoute);
  app.use(problemHandler({ log, typeBase: `${publicUrl}/errors` }));
  return app;
}
