import type { OrganizationId, UserId } from '@legate/ids';
import type { OnboardingSessionId } from '../../domain/ids.ts';
import type { Invitee, OpenedInvitation } from '../invitations/acceptance-store.ts';
import type { OrganizationDetails } from './context.ts';
import { type OnboardingSession, ownSession, touched } from './session.ts';
import type { SessionStore } from './session-store.ts';

export const inviteeOf = (session: OnboardingSession, issuer: string): Invitee => ({
  issuer,
  userId: session.userId,
  email: session.email,
  emailProven: session.emailProven,
  name: session.name,
  // An organization that was created in this session was not named by the identity provider.
  signedInTo: session.requestHash === null ? session.organizationId : null,
});

export function createInvitedSessions({ store, clock }: { store: SessionStore; clock: () => Date }) {
  return {
    /** @throws {Problem} 404 */
    find: (userId: UserId, sessionId: OnboardingSessionId) =>
      store.withSessions(userId, async (sessions) => ownSession(sessions, sessionId)),
    /** Moves the session on to the consent, in the organization that the person has joined. */
    goOn: (session: OnboardingSession, organizationId: OrganizationId) =>
      store.withSessions(session.userId, async (sessions, { save }) => {
        const found = ownSession(sessions, session.id);
        if (found.step === 'done') return;
        const next = { step: 'consent', organizationId, requestHash: null, leaseUntil: null } as const;
        await save({ ...touched(found, clock()), ...next });
      }),
  };
}

/** Returns the text that the pages show to a person who has accepted. */
export const createJoinedNotice =
  (loadDetails: (organizationId: OrganizationId) => Promise<OrganizationDetails>) =>
  async (
    { organizationName, organizationId }: OpenedInvitation,
    { signedInTo }: Invitee,
    wasMember: boolean,
  ): Promise<string> => {
    if (wasMember) return `You are a member of ${organizationName} already. Your role stays as it is.`;
    const joined = `You are a member of ${organizationName} now.`;
    if (signedInTo === null || signedInTo === organizationId) return joined;
    const { name } = await loadDetails(signedInTo);
    return `${joined} You have signed in for ${name}: choose ${organizationName} when you sign in again.`;
  };
