import type { OrganizationId, UserId } from '@legate/ids';
import { ulid } from 'ulid';
import type { MakeChange } from '../../changes/change.ts';
import type { Author } from '../../domain/author.ts';
import type { Caller } from '../../domain/caller.ts';
import type { Role } from '../../domain/rights.ts';
import { storable } from '../../domain/storable-text.ts';
import { statement } from '../../storage/statement.ts';

/** Inserts the row for one of several concurrent first tokens; the others read it. */
const JOIN = statement(
  'member_join',
)`INSERT INTO members (organization_id, user_id, id, email, name, role, issuer, email_verified,
  role_claimed_at, last_seen_at, source, invited_by)
SELECT $1::text, $2::text, $3::text, $4::text, $5::text, $6::text, $7::text, $8::boolean, to_timestamp($9), $10::timestamptz,
  $12::text, $13::text
WHERE (SELECT count(*) FROM members WHERE organization_id = $1::text) < $11
ON CONFLICT (organization_id, user_id) DO NOTHING RETURNING id`;
const HEED = statement(
  'member_heed_role',
)`UPDATE members m SET role = $3::text, role_claimed_at = to_timestamp($4),
  version = CASE WHEN m.role = $3::text THEN m.version ELSE m.version + 1 END,
  updated_at = CASE WHEN m.role = $3::text THEN m.updated_at ELSE clock_timestamp() END
FROM (SELECT role FROM members WHERE organization_id = $1 AND user_id = $2 FOR UPDATE) before
WHERE m.organization_id = $1 AND m.user_id = $2 AND m.removed_at IS NULL
  AND (m.role_claimed_at IS NULL OR m.role_claimed_at < to_timestamp($4))
RETURNING m.id, coalesce(m.name, m.email) AS name, before.role AS before`;

/** An invitation that a user is accepting: their token may be used before the invitation makes them a member. */
export interface InvitedAs {
  readonly id: string;
  readonly role: Role;
  readonly invitedBy: UserId;
}
/** @returns undefined for a user who is accepting no invitation */
export type FindInvitedAs = (
  organizationId: OrganizationId,
  userId: UserId,
) => Promise<InvitedAs | undefined>;

export type Joining = ReturnType<typeof createJoining>;

/** Creates and changes member rows according to tokens, each change with its event. */
export function createJoining(deps: { makeChange: MakeChange; maxMembers: number; clock: () => Date }) {
  const { makeChange, maxMembers, clock } = deps;
  return {
    /**
     * Adds a member. Does nothing for a user who has a row, and for an organization with the maximum number of
     * members.
     */
    join: (author: Author, caller: Caller, role: Role, invited?: InvitedAs) =>
      makeChange(author, async ({ connection, organizationId, record }) => {
        const id = `mem_${ulid()}`;
        const [email, name] = [storable(caller.email), storable(caller.name)];
        const source = invited ? 'invitation' : 'identity_provider';
        const claimedAt = !invited && caller.roles?.includes(role) ? (caller.issuedAt ?? null) : null;
        const person = [organizationId, caller.subject, id, email, name, role, caller.issuer];
        const values = [...person, caller.emailVerified ?? null, claimedAt, clock(), maxMembers];
        const origin = [source, invited?.invitedBy ?? null];
        const [joined] = await connection.query(JOIN(...values, ...origin));
        if (!joined) return;
        await record({
          action: 'member.joined',
          targets: [{ type: 'member', id, name: name ?? email }],
          changes: { role: { from: null, to: role } },
          details: { source, ...(invited && { invitation_id: invited.id }) },
        });
      }),
    /** Gives a member the role of a token, unless a newer token was applied already. */
    heedRole: (author: Author, caller: Caller, role: Role) =>
      makeChange(author, async ({ connection, organizationId, record }) => {
        const [member] = await connection.query<{ id: string; name: string | null; before: Role }>(
          HEED(organizationId, caller.subject, role, caller.issuedAt),
        );
        if (!member || member.before === role) return;
        await record({
          action: 'member.role_synced',
          targets: [{ type: 'member', id: member.id, name: member.name }],
          changes: { role: { from: member.before, to: role } },
        });
      }),
  };
}
