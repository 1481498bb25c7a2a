import type { OrganizationId, UserId } from '@legate/ids';
import { isDeniedClient } from '../../callers/standing/member-role.ts';
import { clientDenied, keptOut } from '../../callers/standing/problems.ts';
import type { Standing } from '../../callers/standing/standing-store.ts';
import type { Caller } from '../../domain/caller.ts';
import type { OnboardingSessionId } from '../../domain/ids.ts';
import type { DecideConsent } from '../consents/decide.ts';
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
  decide: DecideConsent;
  /** Returns the client of the application that a session of our pages returns to; undefined if it is not known */
  clientAt: (returnTo: string) => string | undefined;
  /** Reads the organization's own record of the user */
  standingOf: (organizationId: OrganizationId, userId: UserId) => Promise<Standing>;
  forgetStanding: (organizationId: OrganizationId, userId: UserId) => void;
}) {
  const { issuer, relinkMembers, store, directory, record, csrf, clock } = deps;
  const { loadDetails, onDetailsMissing, dropTokens } = deps;
  const contextOf = createContextOf({ loadDetails, csrf, onDetailsMissing });
  const linkAgain = createLinkAgain({ issuer, relinkMembers, store, directory });

  /**
   * Refuses users whom the organization of their session has removed, and applications that they have denied. The
   * token of an API caller may lack the organization until it is refreshed, so that neither has been checked yet. Not
   * called within a transaction, which may hold the only connection.
   */
  async function refuseUnadmitted(
    { organizationId, userId }: OnboardingSession,
    caller: Caller,
  ): Promise<void> {
    if (organizationId === null) return;
    const standing = await deps.standingOf(organizationId, userId);
    if (standing.membership.state === 'kept_out') throw keptOut(standing.membership.status);
    if (isDeniedClient(standing, caller)) throw clientDenied();
  }

  return {
    ...createSessionStart({ store, linkAgain, clock }),
    ...createSessionProgress({ store, contextOf, refuseUnadmitted, clock }),
    createOrganization: createOrganizationCreation({ store, directory, record, csrf, contextOf, clock }),
    ...createConsent({
      store,
      csrf,
      decide: deps.decide,
      clientAt: deps.clientAt,
      refuseUnadmitted,
      forgetStanding: deps.forgetStanding,
      dropTokens,
      clock,
    }),
  };
}
