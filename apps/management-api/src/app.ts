import type { IdpAccessTokenClaims, VerifyToken } from '@legate/jwt';
import type { TenantDatabase } from '@legate/postgres';
import { countDecisions, createFailureLimiter, type RateLimiter } from '@legate/rate-limit';
import { refuseBlockedClients } from '@legate/rate-limit/express';
import type { EncryptionKeys } from '@legate/secure-store';
import {
  accessLog,
  apiSecurityHeaders,
  createExpressApp,
  type Health,
  type HttpClient,
  type Logger,
  type Metrics,
  problemHandler,
  requestContext,
  type Tracer,
  unmatchedRoute,
} from '@legate/service';
import { type Express, Router } from 'express';
import { agentConnectorOperations } from './agent-connectors/routes.ts';
import { createAgentConnectors } from './agent-connectors/service.ts';
import { agentOperations } from './agents/routes.ts';
import { createAgents } from './agents/service.ts';
import { siteAgentOperations } from './agents/site-agent-routes.ts';
import { createSiteAgents } from './agents/site-agents.ts';
import { createAgentStore } from './agents/store.ts';
import { mountOperations } from './api/mount-operations.ts';
import { packageErrors } from './api/problems.ts';
import { versionedApi } from './api/versions.ts';
import { auditOperations } from './audit/routes.ts';
import { createAuditTrail } from './audit/trail.ts';
import { authenticate } from './caller/authenticate.ts';
import { meOperation } from './caller/routes.ts';
import { createAnswerOnce } from './changes/answer-once.ts';
import { createMakeChange } from './changes/change.ts';
import { createConnectorCheck } from './connectors/check.ts';
import { createResourceUrlCheck } from './connectors/resource-url.ts';
import { createRevokeTokens } from './connectors/revoke-tokens.ts';
import { revokeTokensOperation } from './connectors/revoke-tokens-operation.ts';
import { connectorOperations } from './connectors/routes.ts';
import { createSecretCipher } from './connectors/secret-cipher.ts';
import { createConnectors } from './connectors/service.ts';
import { createConnectorStore } from './connectors/store.ts';
import { allowOrigins } from './cross-origin.ts';
import { createSaveCheckResult } from './domains/check-result.ts';
import { domainOperations } from './domains/routes.ts';
import { createDomains } from './domains/service.ts';
import { createDomainStore } from './domains/store.ts';
import type { TxtLookup } from './domains/txt-lookup.ts';
import { createDomainVerification } from './domains/verification.ts';
import { createInternalFeature, type WorkloadAccess } from './internal/feature.ts';
import { createMembershipStore } from './members/membership-store.ts';
import { createMemberships } from './members/memberships.ts';
import { memberOperations } from './members/routes.ts';
import { createMembers } from './members/service.ts';
import { createMemberStore } from './members/store.ts';
import { createOnboardingFeature, type OnboardingDependencies } from './onboarding/feature.ts';
import type { ApiDescription } from './openapi/document.ts';
import { descriptionOperations, referenceFiles } from './openapi/routes.ts';
import { admit, loadAdmission, requireOrganization } from './organizations/admission.ts';
import { createProfiles } from './organizations/profile-service.ts';
import { createProfileStore } from './organizations/profile-store.ts';
import { rateLimitOperation } from './organizations/rate-limit-routes.ts';
import { organizationOperations } from './organizations/routes.ts';
import { createOrganizations } from './organizations/service.ts';
import { createOrganizationStore } from './organizations/store.ts';
import type { TenantReader } from './reader.ts';
import { createQuotaCheck, type Quotas } from './resources/quota.ts';
import type { Hub } from './revocations/hub.ts';
import { siteOriginOperations } from './sites/origin-routes.ts';
import { createSiteOrigins } from './sites/origin-service.ts';
import { createOriginStore } from './sites/origin-store.ts';
import { siteOperations } from './sites/routes.ts';
import { createSites } from './sites/service.ts';
import { createSiteStore } from './sites/store.ts';
import { createAdmitTransaction } from './transactions/admit-transaction.ts';
import { authenticateTransaction, type TransactionAccess } from './transactions/authenticate.ts';
import type { UsageCounter } from './usage/counter.ts';
import { usageOperation } from './usage/routes.ts';
import { createUsageReport } from './usage/service.ts';
import { createUsageStore } from './usage/store.ts';

export interface AppDependencies {
  /** Where the API is, and whose tokens it takes: for its description */
  readonly description: ApiDescription;
  readonly log: Logger;
  readonly clock: () => Date;
  readonly verifyToken: VerifyToken<IdpAccessTokenClaims>;
  readonly tenants: TenantDatabase;
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
  const { log, clock, limiter, tenants, customPlanDefault } = deps;
  const { reader = tenants } = deps;
  const counted = (limit: string) => countDecisions(limiter, deps.decisions?.(limit) ?? (() => undefined));
  const failures = createFailureLimiter({ limiter: counted('failures'), clock });
  const organizations = createOrganizations({ store: createOrganizationStore(tenants), clock });
  const memberships = createMemberships({
    store: createMembershipStore(tenants),
    clock,
    onSeenLost: (err) => log.warn({ err }, 'what a token says of a member could not be kept'),
  });
  const makeChange = createMakeChange(tenants, deps.hub?.followUp);
  const answerOnce = createAnswerOnce({ makeChange, clock });
  const members = createMembers({ store: createMemberStore(tenants), clock });
  const checkQuotaOf = (kind: keyof Quotas) => createQuotaCheck(kind, deps.quotas[kind]);
  const siteStore = createSiteStore({ tenants, clock });
  const originStore = createOriginStore(tenants);
  const profiles = createProfiles({ store: createProfileStore(tenants), clock, customPlanDefault });
  const sites = createSites({
    store: siteStore,
    origins: originStore,
    checkQuota: checkQuotaOf('sites'),
    clock,
  });
  const origins = createSiteOrigins({ sites, siteStore, store: originStore, clock });
  const agents = createAgents({
    store: createAgentStore(tenants),
    checkQuota: checkQuotaOf('agents'),
    clock,
  });
  const siteAgents = createSiteAgents({ tenants, sites, agents });
  const connectorStore = createConnectorStore(tenants);
  const cipher = createSecretCipher(deps.connectorKeys);
  const faultOfUrl = createResourceUrlCheck(deps.outboundAllow);
  const connectors = createConnectors({
    store: connectorStore,
    cipher,
    faultOfUrl,
    checkQuota: checkQuotaOf('connectors'),
    clock,
  });
  const { getJson } = deps;
  const check = createConnectorCheck({ connectors, store: connectorStore, makeChange, getJson, clock });
  const revokeTokens = createRevokeTokens({ connectors, tellHub: deps.hub?.tell, makeChange });
  const domainStore = createDomainStore(tenants);
  const domains = createDomains({ store: domainStore, checkQuota: checkQuotaOf('domains'), clock });
  const verifyDomain = createDomainVerification({
    domains,
    saveResult: createSaveCheckResult({ store: domainStore, clock, random: Math.random }),
    lookupTxt: deps.lookupTxt,
    limiter: counted('domains'),
    makeChange,
  });
  const usageReport = createUsageReport({ store: createUsageStore(reader), clock });
  const agentConnectors = createAgentConnectors({ tenants, agents, connectors });

  const lookUp = loadAdmission({ organizations, memberships });
  const admission = admit({
    limiter: counted('requests'),
    customPlanDefault,
    usage: deps.usage,
    memberships,
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
      async loadDetails(id) {
        const [{ value }, names] = await Promise.all([profiles.find(id), domains.listVerified(id)]);
        return { name: value.name, domains: names };
      },
    });

  const declared = [
    meOperation(),
    rateLimitOperation({ limiter, customPlanDefault }),
    ...organizationOperations({ profiles, organizations }),
    ...memberOperations({ members, memberships }),
    ...siteOperations(sites),
    ...siteOriginOperations({ origins, clock }),
    ...siteAgentOperations(siteAgents),
    ...agentOperations(agents),
    ...agentConnectorOperations(agentConnectors),
    ...connectorOperations({ connectors, check, cipher }),
    revokeTokensOperation(revokeTokens),
    ...domainOperations({ domains, verify: verifyDomain }),
    usageOperation(usageReport),
    ...auditOperations(createAuditTrail({ tenants: reader, clock })),
    ...(onboarding?.operations ?? []),
  ];
  const operations = deps.transactions
    ? declared
    : declared.map(({ transaction: _off, ...operation }) => operation);
  operations.push(...descriptionOperations(operations, deps.description));

  const { transactions } = deps;
  const users = authenticate({ verifyToken: deps.verifyToken, failures });
  const v1 = Router();
  v1.use('/docs', referenceFiles());
  // As if it had never been heard of, also for those who send no token
  if (!onboarding) v1.use('/oauth', unmatchedRoute);
  v1.use(
    mountOperations(operations, {
      authenticate: [
        refuseBlockedClients(failures),
        transactions ? authenticateTransaction({ ...transactions, users, failures }) : users,
        lookUp,
      ],
      admit: admission,
      requireOrganization: [requireOrganization],
      admitTransaction: transactions && createAdmitTransaction({ ...transactions, clock, log }),
      makeChange,
      answerOnce,
    }),
  );

  const app = createExpressApp();
  app.set('trust proxy', [...deps.trustedProxies]);
  app.use(requestContext(deps.tracer), accessLog(log), deps.metrics.observeRequests, apiSecurityHeaders());
  app.use(deps.health.router);
  app.use('/api', allowOrigins(deps.consoleOrigins), versionedApi(v1));
  if (onboarding) app.use('/onboarding', onboarding.pages);
  if (deps.workloads) {
    const { workloads, metrics } = deps;
    const { registry } = metrics;
    const internal = {
      workloads,
      tenants,
      cipher,
      limiter: counted('workloads'),
      failures,
      clock,
      log,
      registry,
    };
    app.use('/internal/v1', createInternalFeature(internal));
  }
  app.use(unmatchedRoute);
  app.use(packageErrors, problemHandler({ log, typeBase: deps.problemTypeBase }));
  return app;
}
