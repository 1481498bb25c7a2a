import type { IdpAccessTokenClaims, VerifyToken } from '@legate/jwt';
import type { TenantDatabase } from '@legate/postgres';
import { createFailureLimiter, type RateLimiter } from '@legate/rate-limit';
import { refuseBlockedClients } from '@legate/rate-limit/express';
import {
  accessLog,
  apiSecurityHeaders,
  createExpressApp,
  type Health,
  type Logger,
  type Metrics,
  problemHandler,
  requestId,
  unmatchedRoute,
} from '@legate/service';
import { type Express, Router } from 'express';
import { packageErrors } from './api/problems.ts';
import { versionedApi } from './api/versions.ts';
import { authenticate } from './caller/authenticate.ts';
import { createMemberships } from './members/memberships.ts';
import { createMembershipStore } from './members/store.ts';
import { admit, requireOrganization } from './organizations/admission.ts';
import { createOrganizations } from './organizations/service.ts';
import { createOrganizationStore } from './organizations/store.ts';
import { siteRoutes } from './sites/routes.ts';
import { createSites } from './sites/service.ts';
import { createSiteStore } from './sites/store.ts';

export interface AppDependencies {
  readonly log: Logger;
  readonly clock: () => Date;
  readonly verifyToken: VerifyToken<IdpAccessTokenClaims>;
  readonly tenants: TenantDatabase;
  readonly limiter: RateLimiter;
  readonly health: Health;
  readonly metrics: Metrics;
  /** Below it each error code is documented. */
  readonly problemTypeBase: string;
  /** Requests per minute of a custom plan without a number of its own */
  readonly customPlanDefault: number;
  /** Addresses whose `X-Forwarded-For` is believed; never all of them, or anyone could forge the client's address */
  readonly trustedProxies: readonly string[];
}

export function createApp(deps: AppDependencies): Express {
  const { log, clock, limiter, tenants } = deps;
  const failures = createFailureLimiter({ limiter, clock });
  const organizations = createOrganizations({ store: createOrganizationStore(tenants), clock });
  const memberships = createMemberships({ store: createMembershipStore(tenants), clock });
  const sites = createSites({ store: createSiteStore(tenants), clock });

  const v1 = Router();
  v1.use(refuseBlockedClients(failures));
  v1.use(authenticate({ verifyToken: deps.verifyToken, failures }));
  v1.use(admit({ organizations, memberships, limiter, customPlanDefault: deps.customPlanDefault }));
  v1.use(requireOrganization);
  v1.use('/sites', siteRoutes(sites));
  v1.use(unmatchedRoute);

  const app = createExpressApp();
  app.set('trust proxy', [...deps.trustedProxies]);
  app.use(requestId, accessLog(log), deps.metrics.observeRequests, apiSecurityHeaders());
  app.use(deps.health.router);
  app.use('/api', versionedApi(v1));
  app.use(unmatchedRoute);
  app.use(packageErrors, problemHandler({ log, typeBase: deps.problemTypeBase }));
  return app;
}
