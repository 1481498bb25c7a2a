import { isId, type OrganizationId } from '@legate/ids';
import { RateLimitExceeded } from '@legate/rate-limit';
import { ulid } from 'ulid';
import type { Change } from '../../changes/change.ts';
import type { Target } from '../../domain/audit-event.ts';
import { spellingsOf } from '../../domain/email-address.ts';
import { InvitationId } from '../../domain/ids.ts';
import { problem } from '../../domain/problem-codes.ts';
import { hashOfSecretToken, newSecretToken } from '../../domain/secret-token.ts';
import { existing, type Stored, type VersionCheck } from '../../domain/stored.ts';
import { type Actor, refuseEscalation, roleOf } from '../members/rules.ts';
import type { MemberStore } from '../members/store.ts';
import type { CreateInvitation, Invitation, ListInvitations } from './invitation.ts';
import type { InvitationStore, Inviter, NewLink, Present } from './store.ts';

const MAX_OPEN = 100;
const MAX_AN_HOUR = 50;
const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
const RESEND_MS = 60_000;

export type Invitations = ReturnType<typeof createInvitations>;

/** Manages invitations for owners and admins. The operations of the invited person are in `acceptance.ts`. */
export function createInvitations(deps: {
  store: InvitationStore;
  members: MemberStore;
  /** Returns the URL of the link with this token. */
  acceptUrl: (token: string) => string;
  clock: () => Date;
}) {
  const { store, members, acceptUrl, clock } = deps;

  return {
    list: (organizationId: OrganizationId, query: ListInvitations) =>
      store.list(organizationId, query, clock()),
    /** @throws {Problem} 404 */
    find: async (organizationId: OrganizationId, id: InvitationId) =>
      existing('invitation', isId(id) && (await store.find(organizationId, id, clock()))),

    /**
     * @throws {Problem} 403 `role_escalation`; 409 `already_member`, `invitation_pending`, `quota_exceeded`
     * @throws {RateLimitExceeded}
     */
    async create(
      change: Change,
      actor: Actor,
      inviter: Inviter,
      { email, role, expires_in_days }: CreateInvitation,
    ): Promise<Stored<Invitation>> {
      refuseEscalation(await lockAs(members, change, actor), [role]);
      const now = clock();
      const anHourAgo = new Date(now.getTime() - HOUR_MS);
      const present = await store.present(change, email, spellingsOf(email), anHourAgo, now);
      refusePresent(present, now);
      const id = InvitationId.parse(`inv_${ulid()}`);
      const link = newLink(acceptUrl, inviter, expires_in_days, now);
      const made = await store.create(change, { id, email, role, validDays: expires_in_days, ...link });
      await record(change, 'created', made.value, { role: { from: null, to: role } });
      return withUrl(made, link.url);
    },

    /**
     * Creates a new link; the old one stops working.
     * @throws {Problem} 403 `role_escalation`; 404; 409 `invitation_closed`, `invitation_pending`
     * @throws {RateLimitExceeded}
     */
    async sendAgain(
      change: Change,
      actor: Actor,
      inviter: Inviter,
      id: InvitationId,
    ): Promise<Stored<Invitation>> {
      const role = await lockAs(members, change, actor);
      const now = clock();
      const before = existing('invitation', isId(id) && (await store.lock(change, id, now)));
      refuseEscalation(role, [before.value.role]);
      const isOver = ['accepted', 'declined', 'revoked'].includes(before.savedState);
      if (isOver || before.isBeingAccepted) throw problem('invitation_closed');
      const again = before.sentAt.getTime() + RESEND_MS;
      if (again > now.getTime()) throw new RateLimitExceeded(secondsUntil(again, now));
      const link = newLink(acceptUrl, inviter, before.validDays, now);
      const sent = await store.sendAgain(change, id, link);
      await record(change, 'resent', sent.value);
      return withUrl(sent, link.url);
    },

    /** May be repeated. @throws {Problem} 403 `role_escalation`; 404; 409 `invitation_closed`; 412 */
    async revoke(change: Change, actor: Actor, id: InvitationId, check: VersionCheck): Promise<void> {
      const role = await lockAs(members, change, actor);
      const now = clock();
      const before = existing('invitation', isId(id) && (await store.lock(change, id, now)));
      check(before.version);
      refuseEscalation(role, [before.value.role]);
      if (before.savedState === 'revoked') return;
      if (before.savedState === 'accepted' || before.savedState === 'declined')
        throw problem('invitation_closed');
      const { value } = await store.close(change, id, 'revoked', now);
      await record(change, 'revoked', value);
    },
  };
}

/** Blocks other changes of members and invitations until the transaction ends. @returns the actor's role */
async function lockAs(members: MemberStore, change: Change, actor: Actor) {
  await members.lockAll(change);
  return roleOf(members, change, actor);
}

function newLink(
  acceptUrl: (token: string) => string,
  inviter: Inviter,
  validDays: number,
  sentAt: Date,
): NewLink & { url: string } {
  const token = newSecretToken('invitation');
  const tokenHash = hashOfSecretToken('invitation', token);
  if (!tokenHash) throw new Error('a new token is none');
  const expiresAt = new Date(sentAt.getTime() + validDays * DAY_MS);
  return { url: acceptUrl(token), tokenHash, sentAt, expiresAt, inviter };
}

/** Refuses to invite a member or an invited address, and more invitations than the limits allow. */
function refusePresent({ isMember, pendingId, open, recent, oldestRecent }: Present, now: Date): void {
  if (isMember) throw problem('already_member');
  if (pendingId !== null) throw problem('invitation_pending', { extensions: { id: pendingId } });
  if (open >= MAX_OPEN)
    throw problem('quota_exceeded', {
      detail: `The organization has ${MAX_OPEN} open invitations, which is the maximum. Revoke one.`,
    });
  if (recent >= MAX_AN_HOUR && oldestRecent)
    throw new RateLimitExceeded(secondsUntil(oldestRecent.getTime() + HOUR_MS, now));
}

const secondsUntil = (time: number, now: Date): number =>
  Math.max(1, Math.ceil((time - now.getTime()) / 1000));

const withUrl = ({ value, version }: Stored<Invitation>, url: string): Stored<Invitation> => ({
  value: { ...value, accept_url: url },
  version,
});

export const targetOf = ({ id, email }: Pick<Invitation, 'id' | 'email'>): Target => ({
  type: 'invitation',
  id,
  name: email,
});

const record = (
  change: Change,
  what: 'created' | 'resent' | 'revoked',
  invitation: Invitation,
  changes = {},
) => change.record({ action: `invitation.${what}`, targets: [targetOf(invitation)], changes });
