import type { CachedVerifyToken, IdpAccessTokenClaims } from '@legate/jwt';
import { INTERNAL_PATH } from '@legate/management-contract';
import { type ConnectionShare, shareConnections, type TenantDatabase } from '@legate/postgres';
import {
  countDecisions,
  createFailureLimiter,
  type FailureLimiter,
  type RateLimiter,
} from '@legate/rate-limit';
import type { EncryptionKeys } from '@legate/secure-store';
import {
  accessLog,
  apiSecurityHeaders,
  createExpressApp,
  cutUnreadAnswers,
  type Health,
  type HttpClient,
  type Logger,
  type Metrics,
  problemHandler,
  requestContext,
  type Tracer,
  unmatchedRoute,
} from '@legate/service';
import type { Express, RequestHandler } from 'express';
import { refuseWhileSuspended } from './admission/while-suspended.ts';
import { allowOrigins } from './api/cross-origin.ts';
import { packageErrors } from './api/package-errors.ts';
import { versionedApi } from './api/versions.ts';
import { createMakeChange } from './changes/change.ts';
import { createSecretCipher, type SecretCipher } from './connectors/secret-cipher.ts';
import { createDecideConsent } from './consents/decide.ts';
import type { TxtLookup } from './domains/txt-lookup.ts';
import { createInternalFeature, type WorkloadAccess } from './internal/feature.ts';
import { createFindInvitedAs } from './invitations/acceptance-store.ts';
import type { DescribedApi } from './openapi/routes.ts';
import type { Quotas } from './resources/quota.ts';
import type { Hub } from './revocations/hub.ts';
import type { TenantReader } from './storage/reader.ts';
import type { TransactionAccess } from './transactions/authenticate-transaction.ts';
import type { UsageCounter } from './usage/counter.ts';
import { createAdmission, type MemberRules } from './wiring/admission.ts';
import { createApi } from './wiring/api.ts';
import { createFeatures } from './wiring/features.ts';
import { frontPages, problemTypeBaseOf } from './wiring/front-pages.ts';
import {
  acceptUrlAt,
  createOnboardingFeature,
  createUnlinkAt,
  type OnboardingDependencies,
} from './wiring/onboarding.ts';

/** A page of a list is half a megabyte at most, which takes a modem of 70 kbit/s a minute; and it reads all the time. */
const UNREAD = { stalledSeconds: 20, seconds: 60 };

export interface AppDependencies {
  /** URL of the API, issuer of its tokens, and the sign-in of its page, for its description */
  readonly description: DescribedApi;
  readonly log: Logger;
  readonly clock: () => Date;
  readonly verifyToken: CachedVerifyToken<IdpAccessTokenClaims>;
  readonly tenants: TenantDatabase;
  /** Connections that the requests of one organization may use at a time; those of services are not counted. */
  readonly connectionShare: ConnectionShare;
  /** For usage and the audit trail, which may be slightly stale; undefined: `tenants` */
  readonly reader?: TenantReader | undefined;
  readonly limiter: RateLimiter;
  /** Called with each decision of a limit. */
  readonly decisions?: ((limit: string) => (decision: 'allowed' | 'refused') => void) | undefined;
  readonly health: Health;
  readonly metrics: Metrics;
  /** undefined: no spans are made. */
  readonly tracer?: Tracer | undefined;
  /** Requests of an organization that are answered at a time; further ones wait for their turn. */
  readonly concurrentRequests: number;
  /** Part of its organization's requests that each of several users may make; 100: all of them */
  readonly userSharePercent: number;
  /** What an organization may have at most. Default: `QUOTAS` */
  readonly quotas?: Quotas | undefined;
  /** Proxies whose `X-Forwarded-For` is trusted; never all addresses, or anyone could forge the client's */
  readonly trustedProxies: readonly string[];
  /** Origins whose pages may call the API from a browser */
  readonly allowedOrigins: readonly string[];
  /** Without it there is no onboarding. */
  readonly onboarding?: OnboardingDependencies | undefined;
  /** Seal connector secrets; without them none is stored. */
  readonly connectorKeys: EncryptionKeys | undefined;
  /** The guarded client's, for URLs of customers */
  readonly getJson: HttpClient['getJson'];
  /** Addresses that this client may reach besides public ones */
  readonly outboundAllow: readonly string[];
  /** Services that call as themselves; without them there is nothing below `/internal`. */
  readonly workloads?: WorkloadAccess | undefined;
  /** Lets services call for users; undefined: none may. */
  readonly transactions?: TransactionAccess | undefined;
  /** Receives revocations; undefined: there is no hub. */
  readonly hub?: Hub | undefined;
  /** Reads the records that prove domains. */
  readonly lookupTxt: TxtLookup;
  readonly memberRules: MemberRules;
  /** How long an API key may be good, in days */
  readonly maxKeyDays: number;
  /** Counts what the limiter counts. */
  readonly usage: Pick<UsageCounter, 'count'>;
}

export function createApp(deps: AppDependencies): Express {
  const { log, clock, limiter } = deps;
  const tenants = shareConnections(deps.tenants, deps.connectionShare);
  const decide = deps.decisions ?? (() => () => undefined);
  const counted = (limit: string) => countDecisions(limiter, decide(limit));
  const failuresAt = (keyPrefix: string) =>
    createFailureLimiter({ limiter: counted('failures'), clock, keyPrefix });
  const cipher = createSecretCipher(deps.connectorKeys);
  const makeChange = createMakeChange(tenants, deps.hub?.followUp);
  const admission = createAdmission({
    tenants,
    makeChange,
    memberRules: deps.memberRules,
    invitedAs: createFindInvitedAs(tenants, clock),
    issuer: deps.description.issuer,
    limiter,
    userSharePercent: deps.userSharePercent,
    concurrentRequests: deps.concurrentRequests,
    decide,
    countUsage: deps.usage.count,
    clock,
    log,
    registry: deps.metrics.registry,
  });
  const decideConsent = createDecideConsent({ clock });
  const features = createFeatures({
    tenants,
    reader: deps.reader ?? tenants,
    makeChange,
    standings: admission.standings,
    clock,
    plan: admission.plan,
    domainLimiter: counted('domains'),
    quotas: deps.quotas,
    cipher,
    getJson: deps.getJson,
    outboundAllow: deps.outboundAllow,
    lookupTxt: deps.lookupTxt,
    hub: deps.hub,
    maxMembers: deps.memberRules.maxMembers,
    decideConsent,
    issuer: deps.description.issuer,
    forgetClient: admission.clients.forget,
    maxKeyDays: deps.maxKeyDays,
    acceptUrl: deps.onboarding && acceptUrlAt(deps.onboarding.settings),
    unlink: deps.onboarding && createUnlinkAt(deps.onboarding, { makeChange, log }),
  });
  const onboarding =
    deps.onboarding &&
    createOnboardingFeature({
      identityProvider: deps.onboarding,
      tenants,
      makeChange,
      clock,
      admission: [admission.lookUp, ...admission.admit(() => false), refuseWhileSuspended(undefined)],
      log,
      loadDetails: features.loadDetails,
      standings: admission.standings,
      decideConsent,
      maxMembers: deps.memberRules.maxMembers,
    });
  const v1 = createApi({
    operations: [...features.operations, ...(onboarding?.operations ?? [])],
    hasOnboarding: onboarding !== undefined,
    description: deps.description,
    verifyToken: deps.verifyToken,
    transactions: deps.transactions,
    failures: failuresAt('ip'),
    admission,
    makeChange,
    clock,
    log,
  });
  const internal = createInternal(deps, cipher, {
    limiter: counted('workloads'),
    failures: failuresAt('workload-ip'),
  });
  return serve(deps, { v1, pages: onboarding?.pages, internal });
}

/** @returns undefined where no service calls as itself */
const createInternal = (
  deps: AppDependencies,
  cipher: SecretCipher,
  { limiter, failures }: { limiter: RateLimiter; failures: FailureLimiter },
): readonly RequestHandler[] | undefined =>
  deps.workloads &&
  createInternalFeature({
    workloads: deps.workloads,
    tenants: deps.tenants,
    cipher,
    limiter,
    failures,
    clock: deps.clock,
    log: deps.log,
    registry: deps.metrics.registry,
  });

/** Mounts everything in this order: common middleware, routes, and the fallbacks. */
function serve(
  deps: AppDependencies,
  routes: {
    v1: RequestHandler;
    pages: RequestHandler | undefined;
    internal: readonly RequestHandler[] | undefined;
  },
): Express {
  const { log, description } = deps;
  const { v1, pages, internal } = routes;
  const app = createExpressApp();
  app.set('trust proxy', [...deps.trustedProxies]);
  app.use(cutUnreadAnswers(UNREAD));
  app.use(requestContext(deps.tracer), accessLog(log));
  app.use(deps.metrics.observeRequests, apiSecurityHeaders());
  app.use(deps.health.router);
  app.use('/api', allowOrigins(deps.allowedOrigins), versionedApi(v1));
  if (pages) app.use('/onboarding', pages);
  if (internal) app.use(INTERNAL_PATH, ...internal);
  app.use(frontPages(description.resource), unmatchedRoute);
  app.use(packageErrors, problemHandler({ log, typeBase: problemTypeBaseOf(description.resource) }));
  return app;
}
