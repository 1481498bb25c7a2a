import type { OrganizationId, UserId } from '@legate/ids';
import { keptOut } from '../admission/problems.ts';
import type { Membership } from '../admission/standing-store.ts';
import type { OnboardingSessionId } from '../domain/ids.ts';
import { createConsent } from './consent.ts';
import { createContextOf, type OrganizationDetails } from './context.ts';
import { createOrganizationCreation } from './creation.ts';
import type { CsrfTokens } from './csrf.ts';
import type { IdentityDirectory } from './identity-directory.ts';
import { createLinkAgain } from './link-again.ts';
import type { RecordOrganization } from './organization-record.ts';
import type { OnboardingSession } from './session.ts';
import { createSessionProgress } from './session-progress.ts';
import { createSessionStart } from './session-start.ts';
import type { SessionStore } from './session-store.ts';

export type Onboarding = ReturnType<typeof createOnboarding>;

/** The steps from a sign-in to an organization. */
export function createOnboarding(deps: {
  /** The issuer of the users who sign in */
  issuer: string;
  relinkMembers: boolean;
  store: SessionStore;
  directory: IdentityDirectory;
  record: RecordOrganization;
  loadDetails: (organizationId: OrganizationId) => Promise<OrganizationDetails>;
  dropTokens: (sessionId: OnboardingSessionId) => Promise<void>;
  csrf: CsrfTokens;
  clock: () => Date;
  onDetailsMissing: (err: unknown) => void;
  /** The organization's own record of the user */
  membershipOf: (organizationId: OrganizationId, userId: UserId) => Promise<Membership>;
}) {
  const { issuer, relinkMembers, store, directory, record, csrf, clock } = deps;
  const { loadDetails, onDetailsMissing, dropTokens } = deps;
  const contextOf = createContextOf({ loadDetails, csrf, onDetailsMissing });
  const linkAgain = createLinkAgain({ issuer, relinkMembers, store, directory });

  /**
   * Refuses users whom the organization of their session has removed. The token of an API caller may lack the organization
   * until it is refreshed, so it has not been checked yet. Not within a transaction, which may hold the only connection.
   */
  async function refuseRemoved({ organizationId, userId }: OnboardingSession): Promise<void> {
    if (organizationId === null) return;
    const membership = await deps.membershipOf(organizationId, userId);
    if (membership.state === 'kept_out') throw keptOut(membership.status);
  }

  return {
    ...createSessionStart({ store, linkAgain, clock }),
    ...createSessionProgress({ store, contextOf, refuseRemoved, clock }),
    createOrganization: createOrganizationCreation({ store, directory, record, csrf, contextOf, clock }),
    consent: createConsent({ store, csrf, refuseRemoved, dropTokens, clock }),
  };
}
