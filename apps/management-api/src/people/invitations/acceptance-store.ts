import { OrganizationId, type UserId } from '@legate/ids';
import type { TenantDatabase } from '@legate/postgres';
import { ulid } from 'ulid';
import type { FindInvitedAs, InvitedAs } from '../../callers/standing/joining.ts';
import type { Change } from '../../changes/change.ts';
import type { InvitationId, MemberId } from '../../domain/ids.ts';
import type { Role } from '../../domain/rights.ts';
import { CHANGED } from '../../storage/columns.ts';
import { statement } from '../../storage/statement.ts';
import type { InvitationState } from './invitation.ts';
import { INVITER_NAME, INVITER_ROLE, IS_BEING_ACCEPTED, ONE, STATE } from './statements.ts';

/** An invitation as the owner of its link sees it */
export interface OpenedInvitation {
  readonly id: InvitationId;
  readonly organizationId: OrganizationId;
  readonly email: string;
  readonly role: Role;
  readonly state: InvitationState;
  /** True while a request is accepting the invitation */
  readonly isBeingAccepted: boolean;
  /** Time at which the current link was made */
  readonly sentAt: Date;
  readonly userId: UserId | null;
  readonly invitedBy: UserId;
  readonly inviterName: string | null;
  /** Null if the inviter may no longer invite */
  readonly inviterRole: Role | null;
  readonly organizationName: string;
  readonly organizationIsActive: boolean;
}

/** A membership of the invited person in the inviting organization */
export interface FormerMembership {
  readonly id: MemberId;
  readonly role: Role;
  readonly name: string | null;
  readonly keptOut: 'deactivated' | 'denied' | 'removed' | null;
  readonly removedAt: Date | null;
}

/** The user who has signed in to accept the invitation */
export interface Invitee {
  readonly issuer: string;
  readonly userId: UserId;
  readonly email: string | null;
  /** True if the identity provider confirms that the address is theirs */
  readonly emailProven: boolean;
  readonly name: string | null;
  /** The organization that the sign-in names */
  readonly signedInTo: OrganizationId | null;
}

const COLUMNS = `r.id, r.organization_id AS "organizationId", r.email, r.role, ${STATE} AS state,
  ${IS_BEING_ACCEPTED} AS "isBeingAccepted", r.sent_at AS "sentAt", r.user_id AS "userId", r.invited_by_id AS "invitedBy",
  ${INVITER_NAME} AS "inviterName", ${INVITER_ROLE} AS "inviterRole", o.name AS "organizationName",
  (o.status = 'active' AND o.purge_at IS NULL) AS "organizationIsActive"`;
const FROM = 'FROM invitations r JOIN organizations o ON o.id = r.organization_id';
const BY_TOKEN = statement(
  'invitation_by_token',
)`SELECT organization_id AS "organizationId", id FROM find_invitation($1)`;
const OPEN = statement('invitation_open')`SELECT ${COLUMNS} ${FROM} WHERE ${ONE}`;
const LOCK_OPEN = statement('invitation_lock_open')`SELECT ${COLUMNS} ${FROM} WHERE ${ONE} FOR UPDATE OF r`;
/** Orders a user's attempts: if they join two organizations at the same time, the second attempt sees the first. */
const LOCK_USER = statement(
  'invitee_lock',
)`SELECT pg_advisory_xact_lock(hashtextextended('invitee:' || $1 || ':' || $2, 0))`;
const ELSEWHERE = statement('invitee_elsewhere')`SELECT is_member_elsewhere($1, $2, $3, $4) AS found`;
const MEMBERSHIP = statement('invitee_membership')`SELECT id, role, coalesce(name, email) AS name,
  CASE WHEN removed_at IS NOT NULL THEN coalesce(kept_out, 'removed') END AS "keptOut", removed_at AS "removedAt"
FROM members WHERE organization_id = $1 AND user_id = $2 FOR UPDATE`;
const BEING_ACCEPTED = statement(
  'invitation_being_accepted',
)`SELECT r.id, r.role, r.invited_by_id AS "invitedBy" FROM invitations r
WHERE r.organization_id = $1 AND r.user_id = $3 AND r.state = 'accepting' AND ${STATE} = 'pending'`;
const IS_KEPT_OUT = statement('invitee_kept_out')`SELECT FROM members
WHERE organization_id = $1 AND user_id = $2 AND removed_at IS NOT NULL`;
const BEGIN = statement('invitation_begin')`UPDATE invitations r
SET state = 'accepting', user_id = $3, lease_until = $4, ${CHANGED} WHERE r.organization_id = $1 AND r.id = $2`;
const GIVE_BACK = statement('invitation_give_back')`UPDATE invitations r
SET state = $4, user_id = CASE WHEN $4 = 'accepting' THEN r.user_id END, lease_until = NULL, ${CHANGED}
WHERE r.organization_id = $1 AND r.id = $2 AND r.state = 'accepting' AND r.user_id = $3`;
const ACCEPTED = statement('invitation_accepted')`UPDATE invitations r
SET state = 'accepted', user_id = $3, lease_until = NULL, ${CHANGED} WHERE r.organization_id = $1 AND r.id = $2`;
const JOIN = statement('invitee_join')`INSERT INTO members
  (organization_id, user_id, id, email, name, role, issuer, email_verified, source, invited_by)
SELECT $1::text, $2::text, $3::text, $4::text, $5::text, $6::text, $7::text, true, 'invitation', $8::text
WHERE (SELECT count(*) FROM members WHERE organization_id = $1::text) < $9
ON CONFLICT (organization_id, user_id) DO NOTHING RETURNING id`;
const LET_IN_AGAIN = statement('invitee_let_in_again')`UPDATE members
SET removed_at = NULL, kept_out = NULL, role = $3, invited_by = $4, issuer = $5, email = $6, name = coalesce($7, name),
  email_verified = true, ${CHANGED} WHERE organization_id = $1 AND user_id = $2`;

export type AcceptanceStore = ReturnType<typeof createAcceptanceStore>;

export function createAcceptanceStore(tenants: TenantDatabase) {
  return {
    async findByHash(hash: Buffer, now: Date): Promise<OpenedInvitation | undefined> {
      const [found] = await tenants.queryAsTenant<{ organizationId: string; id: InvitationId }>(
        '',
        BY_TOKEN(hash),
      );
      if (!found) return undefined;
      const organizationId = OrganizationId.parse(found.organizationId);
      const sent = OPEN(organizationId, now, found.id);
      return (await tenants.queryAsTenant<OpenedInvitation>(organizationId, sent))[0];
    },
    async isKeptOut(organizationId: OrganizationId, userId: UserId): Promise<boolean> {
      const rows = await tenants.queryAsTenant(organizationId, IS_KEPT_OUT(organizationId, userId));
      return rows.length > 0;
    },
    /** Waits for other attempts of the invited person, in any organization. */
    async lockUser({ connection }: Change, { issuer, userId }: Invitee) {
      await connection.query(LOCK_USER(issuer, userId));
    },
    async lock({ connection, organizationId }: Change, id: InvitationId, now: Date) {
      return (await connection.query<OpenedInvitation>(LOCK_OPEN(organizationId, now, id)))[0];
    },
    async isElsewhere({ connection, organizationId }: Change, { issuer, userId }: Invitee, now: Date) {
      const sent = ELSEWHERE(issuer, userId, organizationId, now);
      return (await connection.query<{ found: boolean }>(sent))[0]?.found === true;
    },
    async membership({ connection, organizationId }: Change, userId: UserId) {
      return (await connection.query<FormerMembership>(MEMBERSHIP(organizationId, userId)))[0];
    },
    async begin(change: Change, id: InvitationId, userId: UserId, leaseUntil: Date) {
      const { connection, organizationId } = change;
      await connection.query(BEGIN(organizationId, id, userId, leaseUntil));
    },
    /** Records that the attempt failed. @param state `accepting` if the identity provider may have added the person */
    async giveBack(change: Change, id: InvitationId, userId: UserId, state: 'pending' | 'accepting') {
      const { connection, organizationId } = change;
      await connection.query(GIVE_BACK(organizationId, id, userId, state));
    },
    async accepted({ connection, organizationId }: Change, id: InvitationId, userId: UserId) {
      await connection.query(ACCEPTED(organizationId, id, userId));
    },
    /** @returns undefined if the person has a row already, or the organization has its maximum number of members */
    async join(
      { connection, organizationId }: Change,
      { userId, email, name, issuer }: Invitee,
      { role, invitedBy }: OpenedInvitation,
      maxMembers: number,
    ): Promise<MemberId | undefined> {
      const person = [userId, `mem_${ulid()}`, email, name, role, issuer];
      const join = JOIN(organizationId, ...person, invitedBy, maxMembers);
      return (await connection.query<{ id: MemberId }>(join))[0]?.id;
    },
    async letInAgain(
      { connection, organizationId }: Change,
      { userId, email, name, issuer }: Invitee,
      { role, invitedBy }: OpenedInvitation,
    ) {
      const person = [email, name];
      await connection.query(LET_IN_AGAIN(organizationId, userId, role, invitedBy, issuer, ...person));
    },
  };
}

/** Finds the invitation that a user is accepting, for a token used before they are a member here. */
export const createFindInvitedAs =
  (tenants: TenantDatabase, clock: () => Date): FindInvitedAs =>
  async (organizationId, userId) => {
    const sent = BEING_ACCEPTED(organizationId, clock(), userId);
    return (await tenants.queryAsTenant<InvitedAs>(organizationId, sent))[0];
  };
