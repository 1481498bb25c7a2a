import type { OrganizationId } from '@legate/ids';
import type { TenantDatabase } from '@legate/postgres';
import type { RateLimiter } from '@legate/rate-limit';
import type { HttpClient } from '@legate/service';
import type { Standings } from '../admission/standings.ts';
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
import type { MakeChange } from '../changes/change.ts';
import { createConnectorsFeature } from '../connectors/feature.ts';
import type { SecretCipher } from '../connectors/secret-cipher.ts';
import { createDomainsFeature } from '../domains/feature.ts';
import type { TxtLookup } from '../domains/txt-lookup.ts';
import { createKeepingOut } from '../members/keeping-out.ts';
import { keepingOutOperations } from '../members/keeping-out-routes.ts';
import { memberOperations } from '../members/routes.ts';
import { createMembers } from '../members/service.ts';
import { createMemberStore } from '../members/store.ts';
import type { Unlink } from '../members/unlink.ts';
import type { OrganizationDetails } from '../onboarding/context.ts';
import { createProfiles } from '../organizations/profile-service.ts';
import { createProfileStore } from '../organizations/profile-store.ts';
import { organizationOperations } from '../organizations/routes.ts';
import { overviewOperation } from '../overview/overview.ts';
import { createQuotaCheck, QUOTAS, type Quotas } from '../resources/quota.ts';
import type { Hub } from '../revocations/hub.ts';
import { revocationOperations } from '../revocations/routes.ts';
import { createUserRevocations } from '../revocations/user-revocations.ts';
import { createSitesFeature } from '../sites/feature.ts';
import type { TenantReader } from '../storage/reader.ts';
import { createCallReport } from '../usage/calls.ts';
import { callsOperation, usageOperation } from '../usage/routes.ts';
import { createUsageReport } from '../usage/service.ts';
import { createUsageStore } from '../usage/store.ts';

export interface FeatureDependencies {
  readonly tenants: TenantDatabase;
  /** For data that may be slightly stale */
  readonly reader: TenantReader;
  readonly makeChange: MakeChange;
  readonly standings: Standings;
  readonly clock: () => Date;
  /** The limiter of all requests, to show its state */
  readonly limiter: RateLimiter;
  /** Counts the verifications of domains. */
  readonly domainLimiter: RateLimiter;
  readonly quotas: Quotas | undefined;
  readonly cipher: SecretCipher;
  readonly getJson: HttpClient['getJson'];
  readonly outboundAllow: readonly string[];
  readonly lookupTxt: TxtLookup;
  readonly hub: Hub | undefined;
  readonly maxMembers: number;
  /** undefined: the identity provider has no admin API */
  readonly unlink: Unlink | undefined;
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
  const { tenants, reader, makeChange, clock, standings, limiter } = deps;
  const { quotas = QUOTAS } = deps;
  const quotaOf = (kind: keyof Quotas) => createQuotaCheck(kind, quotas[kind]);

  const profiles = createProfiles({ store: createProfileStore(tenants), clock });
  const memberStore = createMemberStore(tenants);
  const members = createMembers({ store: memberStore });
  const keepingOut = createKeepingOut({ store: memberStore, maxMembers: deps.maxMembers, clock });
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
    isDeleted: profiles.isDeleted,
    clock,
  });

  const operations = [
    meOperation(),
    rateLimitOperation({ limiter }),
    ...organizationOperations({ profiles, standings }),
    // Before the others, whose /members/{member_id} would match /members/deny
    ...keepingOutOperations({ keepingOut, standings, unlink: deps.unlink, hasHub: deps.hub !== undefined }),
    ...memberOperations({ members, standings }),
    ...revocationOperations(
      createUserRevocations({
        tenants,
        makeChange,
        members: memberStore,
        hasHub: deps.hub !== undefined,
        clock,
      }),
    ),
    ...siteOperations,
    ...siteAgentOperations(siteAgents),
    ...agentOperations(agents),
    ...agentConnectorOperations(agentConnectors),
    ...usersOfOperations(createUsersOf({ tenants, agents, connectors })),
    ...connectorOperations,
    ...domainOperations,
    overviewOperation(tenants),
    callsOperation(createCallReport({ tenants: reader, clock })),
    usageOperation(createUsageReport({ store: createUsageStore(reader), clock })),
    exportOperation({ exportTrail: createTrailExport({ reader, primary: tenants, clock }), limiter }),
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
