import type { OrganizationId, UserId } from '@legate/ids';
import type { TenantDatabase } from '@legate/postgres';
import type { Change } from '../../changes/change.ts';
import type { InvitationId } from '../../domain/ids.ts';
import { problem } from '../../domain/problem-codes.ts';
import type { Role } from '../../domain/rights.ts';
import type { Stored } from '../../domain/stored.ts';
import { orderByAge } from '../../storage/by-age.ts';
import { CHANGED } from '../../storage/columns.ts';
import { queryPage } from '../../storage/page-statement.ts';
import { statement } from '../../storage/statement.ts';
import type { Invitation, InvitationState, ListInvitations } from './invitation.ts';
import { INVITATION_JSON, LOCKED, OF_ORGANIZATION, ONE, OPEN, STATE, STORED } from './statements.ts';

export interface Inviter {
  readonly type: 'user' | 'service_account';
  readonly id: UserId;
}

/** A newly created link */
export interface NewLink {
  readonly tokenHash: Buffer;
  readonly sentAt: Date;
  readonly expiresAt: Date;
  readonly inviter: Inviter;
}

export interface LockedInvitation extends Stored<Invitation> {
  readonly savedState: InvitationState | 'accepting';
  /** True while a request of the invited person is accepting the invitation */
  readonly isBeingAccepted: boolean;
  readonly sentAt: Date;
  readonly validDays: number;
  /** The person who has accepted, or is accepting */
  readonly userId: UserId | null;
}

/** The counts of an organization's invitations, checked when another one is made. */
export interface Present {
  readonly isMember: boolean;
  readonly pendingId: InvitationId | null;
  readonly open: number;
  /** Invitations made since a given time, and the oldest of them */
  readonly recent: number;
  readonly oldestRecent: Date | null;
}

const FIND = statement('invitation_find')`SELECT ${STORED} FROM invitations r WHERE ${ONE}`;
const LOCK = statement('invitation_lock')`SELECT ${LOCKED} FROM invitations r WHERE ${ONE} FOR UPDATE OF r`;
/** Ends expired invitations, which no longer block another invitation of the address. */
const SETTLE = statement('invitation_settle')`UPDATE invitations r
SET state = ${STATE}, user_id = NULL, lease_until = NULL, ${CHANGED}
WHERE ${OF_ORGANIZATION} AND r.email = $3 AND ${OPEN} AND ${STATE} <> 'pending'`;
const PRESENT = statement('invitations_present')`SELECT
  EXISTS (SELECT FROM members m WHERE m.organization_id = $1 AND m.removed_at IS NULL AND lower(m.email) = ANY($4))
    AS "isMember",
  (SELECT r.id FROM invitations r WHERE ${OF_ORGANIZATION} AND r.email = $3 AND ${OPEN}) AS "pendingId",
  (SELECT count(*)::int FROM invitations r WHERE ${OF_ORGANIZATION} AND ${OPEN} AND ${STATE} = 'pending') AS open,
  recent.number AS recent, recent.oldest AS "oldestRecent"
FROM (SELECT count(*)::int AS number, min(r.sent_at) AS oldest FROM invitations r
  WHERE ${OF_ORGANIZATION} AND r.sent_at > $5) recent`;
const CREATE = statement('invitation_create')`INSERT INTO invitations
  (id, organization_id, email, role, valid_days, token_hash, sent_at, expires_at, invited_by_type, invited_by_id)
VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)`;
const SEND_AGAIN = statement('invitation_send_again')`UPDATE invitations r
SET state = 'pending', user_id = NULL, lease_until = NULL, token_hash = $4, sent_at = $2, expires_at = $5,
  invited_by_type = $6, invited_by_id = $7, ${CHANGED} WHERE ${ONE}`;
const CLOSE = statement('invitation_close')`UPDATE invitations r
SET state = $3, user_id = NULL, lease_until = NULL, ${CHANGED} WHERE ${OF_ORGANIZATION} AND r.id = $2`;

export type InvitationStore = ReturnType<typeof createInvitationStore>;

export function createInvitationStore(tenants: TenantDatabase) {
  const existing = async ({ connection, organizationId }: Change, id: InvitationId, now: Date) => {
    const [row] = await connection.query<Stored<Invitation>>(FIND(organizationId, now, id));
    if (!row) throw new Error('an invitation is gone while it is locked');
    return row;
  };
  return {
    list: (organizationId: OrganizationId, query: ListInvitations, now: Date) =>
      queryPage<Invitation>(tenants, organizationId, query, {
        name: `invitations_list_${query.sort}`,
        from: 'invitations r',
        where: OF_ORGANIZATION,
        values: [now],
        filters: [
          { name: 'state', value: query.state, condition: (state) => `${STATE} = ${state}` },
          { name: 'email', value: query.email, condition: (email) => `r.email = ${email}` },
        ],
        orderBy: orderByAge(query.sort, 'id'),
        json: INVITATION_JSON,
      }),
    async find(organizationId: OrganizationId, id: InvitationId, now: Date) {
      const sent = FIND(organizationId, now, id);
      return (await tenants.queryAsTenant<Stored<Invitation>>(organizationId, sent))[0];
    },
    /** Waits for other changes of the invitation, and returns its resulting state. */
    async lock({ connection, organizationId }: Change, id: InvitationId, now: Date) {
      return (await connection.query<LockedInvitation>(LOCK(organizationId, now, id)))[0];
    },
    /** @param addresses the spellings of the address that a token may have */
    async present(change: Change, email: string, addresses: readonly string[], since: Date, now: Date) {
      const { connection, organizationId } = change;
      await connection.query(SETTLE(organizationId, now, email));
      const [row] = await connection.query<Present>(PRESENT(organizationId, now, email, addresses, since));
      if (!row) throw new Error('nothing was counted');
      return row;
    },
    async create(
      change: Change,
      invitation: { id: InvitationId; email: string; role: Role; validDays: number } & NewLink,
    ) {
      const { connection, organizationId } = change;
      const { id, email, role, validDays, tokenHash, sentAt, expiresAt, inviter } = invitation;
      const link = [tokenHash, sentAt, expiresAt, inviter.type, inviter.id];
      await connection.query(CREATE(id, organizationId, email, role, validDays, ...link));
      return existing(change, id, sentAt);
    },
    /**
     * Gives the invitation a new link. @throws {Problem} 409 `invitation_pending` if the address has another
     * invitation
     */
    async sendAgain(change: Change, id: InvitationId, link: NewLink) {
      const { connection, organizationId } = change;
      const { tokenHash, sentAt, expiresAt, inviter } = link;
      const send = SEND_AGAIN(organizationId, sentAt, id, tokenHash, expiresAt, inviter.type, inviter.id);
      await connection.query(send).catch(refuseAnotherOpen);
      return existing(change, id, sentAt);
    },
    async close(change: Change, id: InvitationId, state: 'revoked' | 'declined', now: Date) {
      const { connection, organizationId } = change;
      await connection.query(CLOSE(organizationId, id, state));
      return existing(change, id, now);
    },
  };
}

function refuseAnotherOpen(err: unknown): never {
  if (err instanceof Error && 'constraint' in err && err.constraint === 'invitations_open') {
    throw problem('invitation_pending', { detail: 'The address has a newer invitation.' });
  }
  throw err;
}
