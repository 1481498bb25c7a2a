import type { OrganizationId } from '@legate/ids';
import type { RateLimiter } from '@legate/rate-limit';
import type { HttpClient } from '@legate/service';
import type { PlanCount } from '../admission/plan-count.ts';
import { agentClientOperations } from '../agent-clients/routes.ts';
import { createAgentClients } from '../agent-clients/service.ts';
import { agentOperations } from '../agents/routes.ts';
import { createAgents } from '../agents/service.ts';
import { createAgentStore } from '../agents/store.ts';
import type { Operation } from '../api/operation.ts';
import { createTrailExport } from '../audit/export.ts';
import { exportOperation } from '../audit/export-routes.ts';
import { auditOperations } from '../audit/routes.ts';
import { createAuditTrail } from '../audit/trail.ts';
import { agentConnectorOperations } from '../bindings/agent-connector-routes.ts';
import { createAgentConnectors } from '../bindings/agent-connectors.ts';
import { siteAgentOperations } from '../bindings/site-agent-routes.ts';
import { createSiteAgents } from '../bindings/site-agents.ts';
import { createUsersOf, usersOfOperations } from '../bindings/users-of.ts';
import { meOperation } from '../caller/me-routes.ts';
import { rateLimitOperation } from '../caller/rate-limit-routes.ts';
import { createConnectorsFeature } from '../connectors/feature.ts';
import type { SecretCipher } from '../connectors/secret-cipher.ts';
import type { DecideConsent } from '../consents/decide.ts';
import { consentOperations } from '../consents/routes.ts';
import { createDomainsFeature } from '../domains/feature.ts';
import type { TxtLookup } from '../domains/txt-lookup.ts';
import type { OrganizationDetails } from '../onboarding/context.ts';
import { createOrganizationLifeCycle } from '../organizations/life-cycle.ts';
import { organizationLifeCycleOperations } from '../organizations/life-cycle-routes.ts';
import { createProfiles } from '../organizations/profile-service.ts';
import { createProfileStore } from '../organizations/profile-store.ts';
import { organizationOperations } from '../organizations/routes.ts';
import { overviewOperation } from '../overview/overview.ts';
import { createQuotaCheck, QUOTAS, type Quotas } from '../resources/quota.ts';
import { createSitesFeature } from '../sites/feature.ts';
import type { TenantReader } from '../storage/reader.ts';
import { createCallReport } from '../usage/calls.ts';
import { callsOperation, usageOperation } from '../usage/routes.ts';
import { createUsageReport } from '../usage/service.ts';
import { createUsageStore } from '../usage/store.ts';
import { type PeopleDependencies, peopleOperations } from './people.ts';

export interface FeatureDependencies extends PeopleDependencies {
  /** For data that may be slightly stale */
  readonly reader: TenantReader;
  /** To show what is left of the plan, and for requests that count as several */
  readonly plan: PlanCount;
  /** Counts the verifications of domains. */
  readonly domainLimiter: RateLimiter;
  readonly quotas: Quotas | undefined;
  readonly cipher: SecretCipher;
  readonly getJson: HttpClient['getJson'];
  readonly outboundAllow: readonly string[];
  readonly lookupTxt: TxtLookup;
  readonly decideConsent: DecideConsent;
}

/**
 * Creates what the users of an organization do with it and with what it owns: each feature's service, with the services of
 * other features that it uses, and the operations that they declare.
 */
export function createFeatures(deps: FeatureDependencies): {
  operations: Operation[];
  /** For onboarding, which shows users their organization */
  loadDetails: (organizationId: OrganizationId) => Promise<OrganizationDetails>;
} {
  const { tenants, reader, makeChange, clock, standings, plan } = deps;
  const { quotas = QUOTAS } = deps;
  const quotaOf = (kind: keyof Quotas) => createQuotaCheck(kind, quotas[kind]);

  const profileStore = createProfileStore(tenants);
  const profiles = createProfiles({ store: profileStore });
  const { sites, operations: siteOperations } = createSitesFeature({
    tenants,
    checkQuota: quotaOf('sites'),
    clock,
  });
  const agents = createAgents({ store: createAgentStore(tenants), checkQuota: quotaOf('agents'), clock });
  const { connectors, operations: connectorOperations } = createConnectorsFeature({
    tenants,
    makeChange,
    checkQuota: quotaOf('connectors'),
    cipher: deps.cipher,
    getJson: deps.getJson,
    outboundAllow: deps.outboundAllow,
    tellHub: deps.hub?.tell,
    clock,
  });
  const siteAgents = createSiteAgents({ tenants, sites, agents });
  const agentConnectors = createAgentConnectors({ tenants, agents, connectors });
  const { domains, operations: domainOperations } = createDomainsFeature({
    tenants,
    makeChange,
    checkQuota: quotaOf('domains'),
    limiter: deps.domainLimiter,
    lookupTxt: deps.lookupTxt,
    isDeleted: profileStore.isDeleted,
    clock,
  });
  const lifeCycle = createOrganizationLifeCycle({
    store: profileStore,
    releaseDomains: domains.releaseAll,
    clock,
  });

  const operations = [
    meOperation(),
    rateLimitOperation(plan),
    ...consentOperations({ tenants, decide: deps.decideConsent, standings }),
    ...organizationOperations({ profiles, standings }),
    ...organizationLifeCycleOperations({ lifeCycle, standings }),
    ...peopleOperations(deps),
    ...siteOperations,
    ...siteAgentOperations(siteAgents),
    ...agentOperations(agents),
    ...agentConnectorOperations(agentConnectors),
    ...agentClientOperations(createAgentClients({ tenants, agents, clock })),
    ...usersOfOperations(createUsersOf({ tenants, agents, connectors })),
    ...connectorOperations,
    ...domainOperations,
    overviewOperation(tenants),
    callsOperation(createCallReport({ tenants: reader, clock })),
    usageOperation(createUsageReport({ store: createUsageStore(reader), clock })),
    exportOperation({ exportTrail: createTrailExport({ reader, primary: tenants, clock }), plan }),
    ...auditOperations(createAuditTrail({ reader, primary: tenants, clock })),
  ];

  async function loadDetails(organizationId: OrganizationId): Promise<OrganizationDetails> {
    const [profile, verified] = await Promise.all([
      profiles.find(organizationId),
      domains.listVerified(organizationId),
    ]);
    return { name: profile.value.name, domains: verified };
  }

  return { operations, loadDetails };
}
