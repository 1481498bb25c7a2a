import type { CachedVerifyToken, IdpAccessTokenClaims } from '@legate/jwt';
import { shareConnections, type TenantDatabase } from '@legate/postgres';
import { countDecisions, createFailureLimiter, createSlots, type RateLimiter } from '@legate/rate-limit';
import { refuseBlockedClients } from '@legate/rate-limit/express';
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
import { type Express, type Request, Router } from 'express';
import { mountOperations } from './api/mount-operations.ts';
import type { Operation } from './api/operation.ts';
import { packageErrors } from './api/problems.ts';
import { versionedApi } from './api/versions.ts';
import { authenticate, hasKnownToken } from './caller/authenticate.ts';
import { createAnswerOnce } from './changes/answer-once.ts';
import { createMakeChange } from './changes/change.ts';
import { createSecretCipher } from './connectors/secret-cipher.ts';
import { allowOrigins } from './cross-origin.ts';
import type { TxtLookup } from './domains/txt-lookup.ts';
import { createFeatures } from './features.ts';
import { frontPages } from './front-pages.ts';
import { createInternalFeature, type WorkloadAccess } from './internal/feature.ts';
import { createMembershipStore } from './members/membership-store.ts';
import { createMemberships } from './members/memberships.ts';
import { createOnboardingFeature, type OnboardingDependencies } from './onboarding/feature.ts';
import type { ApiDescription } from './openapi/document.ts';
import { descriptionOperations, referenceFiles } from './openapi/routes.ts';
import { admit, loadAdmission, requireOrganization } from './organizations/admission.ts';
import { createOrganizations } from './organizations/service.ts';
import { createOrganizationStore } from './organizations/store.ts';
import type { TenantReader } from './reader.ts';
import type { Quotas } from './resources/quota.ts';
import type { Hub } from './revocations/hub.ts';
import { createAdmitTransaction } from './transactions/admit-transaction.ts';
import { authenticateTransaction, type TransactionAccess } from './transactions/authenticate.ts';
import type { UsageCounter } from './usage/counter.ts';

/**
 * Tokens not seen before that a network may present each second while it is blocked. A signature check takes some 0.15 ms;
 * the tokens of everybody else behind the same address must get through.
 */
const TRIES_PER_SECOND = 5;

/** A page of a list is half a megabyte at most, which takes a modem of 70 kbit/s this long. */
const UNREAD_SECONDS = 60;

export interface AppDependencies {
  /** Where the API is, and whose tokens it takes: for its description */
  readonly description: ApiDescription;
  readonly log: Logger;
  readonly clock: () => Date;
  readonly verifyToken: CachedVerifyToken<IdpAccessTokenClaims>;
  readonly tenants: TenantDatabase;
  /** How many connections of it the requests of one organization may use at a time; those of services are not counted. */
  readonly connectionsPerOrganization: number;
  /** For usage and the audit trail, which may be shown some moments late; undefined: `tenants` */
  readonly reader?: TenantReader | undefined;
  readonly limiter: RateLimiter;
  /** Told what each limit decides. */
  readonly decisions?: ((limit: string) => (decision: 'allowed' | 'refused') => void) | undefined;
  readonly health: Health;
  readonly metrics: Metrics;
  /** undefined: no spans are made. */
  readonly tracer?: Tracer | undefined;
  /** Below it each error code is documented. */
  readonly problemTypeBase: string;
  /** Requests per minute of a custom plan without a number of its own */
  readonly customPlanDefault: number;
  /** Requests of an organization that are answered at a time */
  readonly concurrentRequests: number;
  /** What an organization may have at most */
  readonly quotas: Quotas;
  /** Addresses whose `X-Forwarded-For` is believed; never all of them, or anyone could forge the client's address */
  readonly trustedProxies: readonly string[];
  /** Whose pages may call the API from a browser */
  readonly consoleOrigins: readonly string[];
  /** Without it there is no onboarding. */
  readonly onboarding?: OnboardingDependencies | undefined;
  /** Seal connector secrets; without them none is stored. */
  readonly connectorKeys: EncryptionKeys | undefined;
  /** The guarded client's, for URLs of customers */
  readonly getJson: HttpClient['getJson'];
  /** What that client may reach besides public addresses */
  readonly outboundAllow: readonly string[];
  /** Services that call as themselves; without them there is nothing below `/internal`. */
  readonly workloads?: WorkloadAccess | undefined;
  /** Lets services call for users; undefined: none may. */
  readonly transactions?: TransactionAccess | undefined;
  /** Told of what it must forget; undefined: there is none. */
  readonly hub?: Hub | undefined;
  /** Reads the records that prove domains. */
  readonly lookupTxt: TxtLookup;
  /** Counts what the limiter counts. */
  readonly usage: Pick<UsageCounter, 'count'>;
}

export function createApp(deps: AppDependencies): Express {
  const { log, clock, limiter, customPlanDefault } = deps;
  const tenants = shareConnections(deps.tenants, { max: deps.connectionsPerOrganization });
  const counted = (limit: string) => countDecisions(limiter, deps.decisions?.(limit) ?? (() => undefined));
  const failuresAt = (keyPrefix: string) =>
    createFailureLimiter({
      limiter: counted('failures'),
      clock,
      keyPrefix,
      triesPerSecond: TRIES_PER_SECOND,
    });
  const failures = failuresAt('ip');
  const cipher = createSecretCipher(deps.connectorKeys);
  const makeChange = createMakeChange(tenants, deps.hub?.followUp);
  const organizations = createOrganizations({ store: createOrganizationStore(tenants), clock });
  const memberships = createMemberships({
    store: createMembershipStore(tenants),
    clock,
    onSeenLost: (err) => log.warn({ err }, 'what a token says of a member could not be kept'),
  });
  const lookUp = loadAdmission({ organizations, memberships });
  const admission = admit({
    limiter: counted('requests'),
    customPlanDefault,
    slots: createSlots(),
    concurrentRequests: deps.concurrentRequests,
    usage: deps.usage,
    memberships,
  });

  const features = createFeatures({
    ...deps,
    tenants,
    reader: deps.reader ?? tenants,
    makeChange,
    organizations,
    memberships,
    domainLimiter: counted('domains'),
    cipher,
    hub: deps.hub,
  });
  const onboarding =
    deps.onboarding &&
    createOnboardingFeature({
      ...deps.onboarding,
      tenants,
      makeChange,
      clock,
      admission: [lookUp, ...admission],
      log,
      loadDetails: features.loadDetails,
      memberships,
    });

  const declared = [...features.operations, ...(onboarding?.operations ?? [])];
  const operations = deps.transactions ? declared : declared.map(withoutTransaction);
  operations.push(...descriptionOperations(operations, deps.description));

  const { transactions } = deps;
  const isKnown = ({ headers }: Request) =>
    hasKnownToken(headers.authorization, deps.verifyToken) ||
    (transactions?.verifyWorkload.isKnown(headers.authorization) ?? false);
  const users = authenticate({ verifyToken: deps.verifyToken, failures });
  const v1 = Router();
  v1.use('/docs', referenceFiles());
  // As if it had never been heard of, also for those who send no token
  if (!onboarding) v1.use('/oauth', unmatchedRoute);
  v1.use(
    mountOperations(operations, {
      authenticate: [
        refuseBlockedClients(failures, isKnown),
        transactions ? authenticateTransaction({ ...transactions, users, failures }) : users,
        lookUp,
      ],
      admit: admission,
      requireOrganization: [requireOrganization],
      admitTransaction: transactions && createAdmitTransaction({ ...transactions, clock, log }),
      makeChange,
      answerOnce: createAnswerOnce({ makeChange, clock }),
    }),
  );

  const app = createExpressApp();
  app.set('trust proxy', [...deps.trustedProxies]);
  app.use(cutUnreadAnswers(UNREAD_SECONDS));
  app.use(requestContext(deps.tracer), accessLog(log), deps.metrics.observeRequests, apiSecurityHeaders());
  app.use(deps.health.router);
  app.use('/api', allowOrigins(deps.consoleOrigins), versionedApi(v1));
  if (onboarding) app.use('/onboarding', onboarding.pages);
  if (deps.workloads) {
    const { workloads } = deps;
    const { registry } = deps.metrics;
    const limits = { limiter: counted('workloads'), failures: failuresAt('workload-ip') };
    const internal = createInternalFeature({
      ...{ workloads, tenants: deps.tenants, cipher, customPlanDefault },
      ...limits,
      ...{ clock, log, registry },
    });
    app.use('/internal/v1', internal);
  }
  app.use(frontPages(deps.description.resource, deps.problemTypeBase), unmatchedRoute);
  app.use(packageErrors, problemHandler({ log, typeBase: deps.problemTypeBase }));
  return app;
}

/** Where no transaction tokens are taken, none is told of either. */
const withoutTransaction = ({ transaction: _off, ...operation }: Operation): Operation => operation;
