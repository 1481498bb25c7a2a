import type { TenantDatabase } from '@legate/postgres';
import type { RateLimiter } from '@legate/rate-limit';
import type { HttpClient } from '@legate/service';
import { agentConnectorOperations } from './agent-connectors/routes.ts';
import { createAgentConnectors } from './agent-connectors/service.ts';
import { agentOperations } from './agents/routes.ts';
import { createAgents } from './agents/service.ts';
import { siteAgentOperations } from './agents/site-agent-routes.ts';
import { createSiteAgents } from './agents/site-agents.ts';
import { createAgentStore } from './agents/store.ts';
import type { Operation } from './api/operation.ts';
import { auditOperations } from './audit/routes.ts';
import { createAuditTrail } from './audit/trail.ts';
import { meOperation } from './caller/routes.ts';
import type { MakeChange } from './changes/change.ts';
import { createConnectorCheck } from './connectors/check.ts';
import { createResourceUrlCheck } from './connectors/resource-url.ts';
import { createRevokeTokens } from './connectors/revoke-tokens.ts';
import { revokeTokensOperation } from './connectors/revoke-tokens-operation.ts';
import { connectorOperations } from './connectors/routes.ts';
import type { SecretCipher } from './connectors/secret-cipher.ts';
import { createConnectors } from './connectors/service.ts';
import { createConnectorStore } from './connectors/store.ts';
import { createSaveCheckResult } from './domains/check-result.ts';
import { createReleaseHolder } from './domains/release-holder.ts';
import { domainOperations } from './domains/routes.ts';
import { createDomains } from './domains/service.ts';
import { createDomainStore } from './domains/store.ts';
import type { TxtLookup } from './domains/txt-lookup.ts';
import { createDomainVerification } from './domains/verification.ts';
import type { Memberships } from './members/memberships.ts';
import { memberOperations } from './members/routes.ts';
import { createMembers } from './members/service.ts';
import { createMemberStore } from './members/store.ts';
import type { OrganizationDetails } from './onboarding/context.ts';
import { createProfiles } from './organizations/profile-service.ts';
import { createProfileStore } from './organizations/profile-store.ts';
import { rateLimitOperation } from './organizations/rate-limit-routes.ts';
import { organizationOperations } from './organizations/routes.ts';
import type { Organizations } from './organizations/service.ts';
import type { TenantReader } from './reader.ts';
import { createQuotaCheck, type Quotas } from './resources/quota.ts';
import type { Hub } from './revocations/hub.ts';
import { siteOriginOperations } from './sites/origin-routes.ts';
import { createSiteOrigins } from './sites/origin-service.ts';
import { createOriginStore } from './sites/origin-store.ts';
import { siteOperations } from './sites/routes.ts';
import { createSites } from './sites/service.ts';
import { createSiteStore } from './sites/store.ts';
import { usageOperation } from './usage/routes.ts';
import { createUsageReport } from './usage/service.ts';
import { createUsageStore } from './usage/store.ts';

export interface FeatureDependencies {
  readonly tenants: TenantDatabase;
  /** For what may be shown some moments late */
  readonly reader: TenantReader;
  readonly makeChange: MakeChange;
  readonly organizations: Organizations;
  readonly memberships: Memberships;
  readonly clock: () => Date;
  /** That of all requests, to be shown */
  readonly limiter: RateLimiter;
  /** Counts the verifications of domains. */
  readonly domainLimiter: RateLimiter;
  readonly customPlanDefault: number;
  readonly quotas: Quotas;
  readonly cipher: SecretCipher;
  readonly getJson: HttpClient['getJson'];
  readonly outboundAllow: readonly string[];
  readonly lookupTxt: TxtLookup;
  readonly hub: Hub | undefined;
}

/**
 * What the users of an organization do with it and with what it owns: each feature's service, with those of other features
 * that it uses, and the operations that they declare.
 */
export function createFeatures(deps: FeatureDependencies): {
  operations: Operation[];
  /** For onboarding, which shows a user his organization */
  loadDetails: (organizationId: string) => Promise<OrganizationDetails>;
} {
  const { tenants, reader, makeChange, clock, cipher, organizations, memberships } = deps;
  const { getJson, limiter, customPlanDefault } = deps;
  const checkQuotaOf = (kind: keyof Quotas) => createQuotaCheck(kind, deps.quotas[kind]);

  const profiles = createProfiles({ store: createProfileStore(tenants), clock, customPlanDefault });
  const members = createMembers({ store: createMemberStore(tenants), clock });

  const siteStore = createSiteStore({ tenants, clock });
  const originStore = createOriginStore(tenants);
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
  const connectors = createConnectors({
    store: connectorStore,
    cipher,
    faultOfUrl: createResourceUrlCheck(deps.outboundAllow),
    checkQuota: checkQuotaOf('connectors'),
    clock,
  });
  const check = createConnectorCheck({ connectors, store: connectorStore, makeChange, getJson, clock });
  const revokeTokens = createRevokeTokens({ connectors, tellHub: deps.hub?.tell, makeChange });
  const agentConnectors = createAgentConnectors({ tenants, agents, connectors });

  const domainStore = createDomainStore(tenants);
  const domains = createDomains({ store: domainStore, checkQuota: checkQuotaOf('domains'), clock });
  const saveResult = createSaveCheckResult({ store: domainStore, clock, random: Math.random });
  const verifyDomain = createDomainVerification({
    domains,
    saveResult,
    releaseHolder: createReleaseHolder({
      store: domainStore,
      isDeleted: profiles.isDeleted,
      saveResult,
      lookupTxt: deps.lookupTxt,
      makeChange,
    }),
    lookupTxt: deps.lookupTxt,
    limiter: deps.domainLimiter,
    makeChange,
  });

  const operations = [
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
    usageOperation(createUsageReport({ store: createUsageStore(reader), clock })),
    ...auditOperations(createAuditTrail({ tenants: reader, clock })),
  ];

  async function loadDetails(organizationId: string): Promise<OrganizationDetails> {
    const [profile, verified] = await Promise.all([
      profiles.find(organizationId),
      domains.listVerified(organizationId),
    ]);
    return { name: profile.value.name, domains: verified };
  }

  return { operations, loadDetails };
}
