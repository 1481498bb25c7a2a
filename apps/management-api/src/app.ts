import { INTERNAL_PATH } from '@legate/management-contract';
import {
  accessLog,
  apiSecurityHeaders,
  createExpressApp,
  cutUnreadAnswers,
  type Health,
  problemHandler,
  requestContext,
  type Tracer,
  unmatchedRoute,
} from '@legate/service';
import type { Express } from 'express';
import { openAdmission } from './callers/open.ts';
import { createMakeChange } from './changes/change.ts';
import { openFeatures } from './features.ts';
import { frontPages, problemTypeBaseOf } from './front-pages.ts';
import { createApi } from './gates.ts';
import { allowOrigins } from './http/api/cross-origin.ts';
import { packageErrors } from './http/api/package-errors.ts';
import { versionedApi } from './http/api/versions.ts';
import type { Parts } from './parts.ts';
import { createFindInvitedAs } from './people/invitations/acceptance-store.ts';
import type { Platform } from './platform/platform.ts';

/** A page of a list has at most half a megabyte: a client at 70 kbit/s reads it within a minute. */
const UNREAD = { stalledSeconds: 20, seconds: 60 };

/** Middleware that runs before all features */
export interface Front {
  readonly health: Health;
  /** undefined: no spans are created. */
  readonly tracer?: Tracer | undefined;
  /** Proxies whose `X-Forwarded-For` is trusted; never all addresses, or anyone could forge the client's address */
  readonly trustedProxies?: readonly string[];
  /** Origins whose pages may call the API from a browser */
  readonly allowedOrigins?: readonly string[];
}

/** Creates the Express app, and mounts all routes and error handlers. */
export function createApp(platform: Platform, parts: Parts, front: Front): Express {
  const { resource, tenants, clock, log, metrics } = platform;
  const { memberRules, limits, fairness, usage } = parts;
  const { health, tracer, trustedProxies = [], allowedOrigins = [] } = front;
  const makeChange = createMakeChange(tenants, parts.hub?.followUp);
  const admission = openAdmission(platform, {
    ...{ makeChange, memberRules, limits, fairness, countUsage: usage.count },
    invitedAs: createFindInvitedAs(tenants, clock),
  });
  const core = { makeChange, admission };
  const { operations, pages, internal } = openFeatures(platform, parts, core);
  const app = createExpressApp({ trustedProxies });
  app.use(cutUnreadAnswers(UNREAD));
  app.use(requestContext(tracer), accessLog(log));
  app.use(metrics.observeRequests, apiSecurityHeaders());
  app.use(health.router);
  app.use('/api', allowOrigins(allowedOrigins), versionedApi(createApi(platform, parts, core, operations)));
  if (pages) app.use('/onboarding', pages);
  if (internal) app.use(INTERNAL_PATH, ...internal);
  app.use(frontPages(resource), unmatchedRoute);
  app.use(packageErrors, problemHandler({ log, typeBase: problemTypeBaseOf(resource) }));
  return app;
}
