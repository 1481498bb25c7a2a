import type { OrganizationId, UserId } from '@legate/ids';
import { ulid } from 'ulid';
import { notActive } from '../../callers/standing/not-active.ts';
import { isNotPurged, organizationCreated } from '../../callers/standing/organization-store.ts';
import type { MakeChange } from '../../changes/change.ts';
import type { Author } from '../../domain/author.ts';
import { CHANGED, changed } from '../../storage/columns.ts';
import { statement } from '../../storage/statement.ts';

export interface NewOrganization {
  readonly id: OrganizationId;
  readonly name: string;
  readonly owner: {
    readonly issuer: string;
    readonly userId: UserId;
    readonly email: string | null;
    readonly name: string | null;
  };
}

/**
 * Saves an organization of the identity provider with its owner, and records both, once even for repeated calls.
 * @throws {Problem} 403 `organization_deleted` for one that was purged
 */
export type RecordOrganization = (author: Author, organization: NewOrganization) => Promise<void>;

/** Does nothing if a token has already created the organization, which then has its id as its name. */
const INSERT = statement('onboarding_organization')`INSERT INTO organizations (id, name)
SELECT $1::text, $2::text WHERE ${isNotPurged('$1::text')} ON CONFLICT (id) DO NOTHING`;
/** Checks that the organization is not purged, after the insertion, which may have waited for the purge. */
const IS_THERE = statement('onboarding_not_purged')`SELECT WHERE ${isNotPurged('$1::text')}`;
/** Makes the founder the owner, even if such a token has made them a member with another role. */
const ADD_OWNER = statement(
  'onboarding_owner',
)`INSERT INTO members (organization_id, user_id, id, email, name, role, issuer, source)
VALUES ($1, $2, $3, $4, $5, 'owner', $6, 'onboarding')
ON CONFLICT (organization_id, user_id) DO UPDATE SET role = 'owner', source = 'onboarding', ${changed('members')}
WHERE members.source = 'identity_provider' AND members.removed_at IS NULL RETURNING id`;
const RENAME = statement(
  'onboarding_name',
)`UPDATE organizations SET name = $2, ${CHANGED} WHERE id = $1 AND name <> $2`;

export function createRecordOrganization(makeChange: MakeChange): RecordOrganization {
  return (author, { id, name, owner }) =>
    makeChange(author, async ({ connection, record }) => {
      await connection.query(INSERT(id, name));
      const isThere = (await connection.query(IS_THERE(id))).length > 0;
      if (!isThere) throw notActive({ status: 'deleted', purgeAt: null });
      const [member] = await connection.query<{ id: string }>(
        ADD_OWNER(id, owner.userId, `mem_${ulid()}`, owner.email, owner.name, owner.issuer),
      );
      if (!member) return; // an earlier attempt has already saved the owner
      await connection.query(RENAME(id, name));
      const targets = [{ type: 'member', id: member.id, name: owner.email }] as const;
      await record(organizationCreated({ id, name }, 'onboarding', { targets }));
    });
}
