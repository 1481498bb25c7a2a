import type { RequestHandler, Router } from 'express';
import type { Admission } from './callers/open.ts';
import { openAgentClients } from './catalog/agent-clients/routes.ts';
import { openAgents } from './catalog/agents/routes.ts';
import { openBindings } from './catalog/bindings/open.ts';
import { openConnectors } from './catalog/connectors/open.ts';
import { openDomains } from './catalog/domains/open.ts';
import { createQuotaCheck, type Quotas } from './catalog/resources/quota.ts';
import { openSites } from './catalog/sites/open.ts';
import type { MakeChange } from './changes/change.ts';
import type { Operation } from './http/api/operation.ts';
import { openInternal } from './internal/open.ts';
import type { Parts } from './parts.ts';
import { openConsents } from './people/consents/routes.ts';
import { openInvitations } from './people/invitations/routes.ts';
import { openMe } from './people/me/routes.ts';
import { openMembers } from './people/members/open.ts';
import { type OpenOnboarding, openOnboarding } from './people/onboarding/open.ts';
import { openOnboardingPages } from './people/onboarding/pages/open.ts';
import { openOrganizations } from './people/organizations/open.ts';
import { createProfileStore } from './people/organizations/profile-store.ts';
import { openRevocations } from './people/revocations/routes.ts';
import { createNoteMakerLeft } from './people/service-accounts/maker-left.ts';
import { openServiceAccounts } from './people/service-accounts/open.ts';
import { limiterOf } from './platform/limits.ts';
import type { Platform } from './platform/platform.ts';
import { openAudit } from './trail/audit/open.ts';
import { openOverview } from './trail/overview/routes.ts';
import { openUsage } from './trail/usage/routes.ts';

/** The parts that features share */
export interface Core {
  readonly makeChange: MakeChange;
  readonly admission: Admission;
}

/** Opens each feature, and passes to it what it needs of other features. */
export function openFeatures(
  platform: Platform,
  parts: Parts,
  core: Core,
): {
  readonly operations: Operation[];
  /** Web pages of onboarding; undefined: there are none. */
  readonly pages: Router | undefined;
  /** Handlers of requests that services send as themselves; undefined: services may not send any. */
  readonly internal: readonly RequestHandler[] | undefined;
} {
  const { makeChange } = core;
  const { plan, standings } = core.admission;
  const { hub, limits, cipher, lookupTxt, outboundAllow } = parts;
  const { verifyWorkload } = parts.callers;
  const quotaOf = (kind: keyof Quotas) => createQuotaCheck(kind, parts.quotas[kind]);

  const consents = openConsents(platform, standings);
  const { domains, operations: ofDomains } = openDomains(platform, {
    ...{ makeChange, lookupTxt, checkQuota: quotaOf('domains'), limiter: limiterOf(limits, 'domains') },
    isDeleted: createProfileStore(platform.tenants).isDeleted,
  });
  const { profiles, operations: ofOrganizations } = openOrganizations(platform, {
    standings,
    releaseDomains: domains.releaseAll,
  });
  const { sites, operations: ofSites } = openSites(platform, quotaOf('sites'));
  const { agents, operations: ofAgents } = openAgents(platform, quotaOf('agents'));
  const { connectors, operations: ofConnectors } = openConnectors(platform, {
    ...{ makeChange, cipher, outboundAllow, checkQuota: quotaOf('connectors'), notifyHub: hub?.notify },
    refusedAudiences: parts.refusedAudiences,
  });
  const bindings = openBindings(platform, { sites, agents, connectors });
  const onboarding =
    parts.onboarding &&
    openOnboarding(platform, parts.onboarding, {
      ...{ makeChange, standings, decideConsent: consents.decide, attempts: limits.attempts },
      maxMembers: parts.memberRules.maxMembers,
      async loadDetails(organizationId) {
        const [{ value }, verified] = await Promise.all([
          profiles.find(organizationId),
          domains.listVerified(organizationId),
        ]);
        return { name: value.name, domains: verified };
      },
    });
  const pages =
    parts.onboarding &&
    onboarding &&
    openOnboardingPages(platform, parts.onboarding, { onboarding, admission: core.admission.forPages });
  return {
    operations: [
      ...openMe(plan).operations,
      ...consents.operations,
      ...ofOrganizations,
      ...openPeople(platform, parts, core, onboarding),
      ...ofSites,
      ...bindings.ofSites,
      ...ofAgents,
      ...bindings.ofAgents,
      ...openAgentClients(platform, agents).operations,
      ...bindings.fromOtherEnd,
      ...ofConnectors,
      ...ofDomains,
      ...openOverview(platform).operations,
      ...openUsage(platform).operations,
      ...openAudit(platform, plan).operations,
      ...(pages?.operations ?? []),
    ],
    pages: pages?.routes,
    internal:
      verifyWorkload &&
      openInternal(platform, {
        ...{ verifyWorkload, cipher, limits },
        requestsPerMinute: parts.workloadRequestsPerMinute,
      }).routes,
  };
}

/** Opens the features about who acts in an organization: members, invited people, and machines. */
function openPeople(
  platform: Platform,
  { hub, memberRules, maxKeyDays }: Parts,
  { makeChange, admission: { standings, clients } }: Core,
  onboarding: Pick<OpenOnboarding, 'unlink' | 'acceptUrl'> | undefined,
): Operation[] {
  const hasHub = hub !== undefined;
  const members = openMembers(platform, {
    ...{ standings, hasHub, maxMembers: memberRules.maxMembers, unlink: onboarding?.unlink },
    onEnded: createNoteMakerLeft(platform),
  });
  const { store, isMember } = members;
  const machines = openServiceAccounts(platform, {
    ...{ makeChange, isMember, maxKeyDays, findMemberRole: store.roleOf },
    forgetMachines: (organizationId) => standings.forget(organizationId),
    forgetClient: clients.forget,
  });
  return [
    ...members.operations,
    ...(onboarding ? openInvitations(platform, { members: store, ...onboarding }).operations : []),
    ...openRevocations(platform, {
      ...{ makeChange, members: store, hasHub },
      forgetStanding: standings.forget,
    }).operations,
    ...machines.operations,
  ];
}
