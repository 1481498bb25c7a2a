import type { Change } from '../../changes/change.ts';
import { problem } from '../../domain/problem-codes.ts';
import type { Role } from '../../domain/rights.ts';
import type { AcceptanceStore, Invitee, OpenedInvitation } from './acceptance-store.ts';
import {
  invitationNotFound,
  memberOfAnother,
  refuseClosed,
  refuseKeptOut,
  refuseStranger,
} from './eligibility.ts';

/** Longer than an attempt can wait: two requests of five seconds each. */
const LEASE_MS = 30_000;

/** `accepted`: an earlier attempt has completed everything. */
export type Begun =
  | { readonly kind: 'accepted' }
  | {
      readonly kind: 'begun';
      readonly wasMember: boolean;
      /** The role to set at the identity provider */
      readonly role: Role;
    };

/**
 * Saves that a person is accepting, so that the next click completes an attempt that crashed. @throws {Problem} as
 * `Acceptance.accept`
 */
export type Begin = (change: Change, id: OpenedInvitation['id'], person: Invitee) => Promise<Begun>;

export function createBegin(deps: {
  store: AcceptanceStore;
  multipleOrganizations: boolean;
  clock: () => Date;
}): Begin {
  const { store, multipleOrganizations, clock } = deps;
  return async (change, id, person) => {
    const now = clock();
    await store.lockUser(change, person);
    const invitation = await store.lock(change, id, now);
    if (!invitation) throw invitationNotFound();
    refuseStranger(invitation, person);
    if (invitation.state === 'accepted' && invitation.userId === person.userId) return { kind: 'accepted' };
    refuseClosed(invitation, person);
    if (invitation.isBeingAccepted) throw inProgress();
    const membership = await store.membership(change, person.userId);
    refuseKeptOut(invitation, membership);
    if (!multipleOrganizations && (await store.isElsewhere(change, person, now))) throw memberOfAnother();
    const wasMember = membership?.keptOut === null;
    await store.begin(change, id, person.userId, new Date(now.getTime() + LEASE_MS));
    return { kind: 'begun', wasMember, role: wasMember ? membership.role : invitation.role };
  };
}

export const inProgress = () =>
  problem('onboarding_in_progress', {
    detail: 'The invitation is being accepted. Try again.',
    headers: { 'Retry-After': '1' },
  });
