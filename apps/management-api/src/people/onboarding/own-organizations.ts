import type { OrganizationId, UserId } from '@legate/ids';
import type { TenantConnection } from '@legate/postgres';
import type { MemberId } from '../../domain/ids.ts';
import type { Role } from '../../domain/rights.ts';
import { statement } from '../../storage/statement.ts';

/** An organization of which a user is a member here, whatever the identity provider has recorded. */
export interface OwnOrganization {
  readonly id: OrganizationId;
  readonly name: string;
  readonly status: 'active' | 'suspended';
  readonly memberId: MemberId;
  readonly role: Role;
}

const FIND = statement(
  'onboarding_own',
)`SELECT organization_id AS id, name, status, member_id AS "memberId", role
FROM organizations_of_user($1, $2)`;

/**
 * Returns the user's organizations in the order of joining, without deleted ones and those that removed the user.
 * Issuer and user come from the ID token: a user of another issuer may have the same `sub`.
 */
export const findOwnOrganizations = (connection: TenantConnection, issuer: string, userId: UserId) =>
  connection.query<OwnOrganization>(FIND(issuer, userId));
