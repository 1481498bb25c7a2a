import type { TenantConnection } from '@legate/postgres';
import type { Role } from '../caller/rights.ts';

/** An organization of which a user is a member here, whatever the identity provider says. */
export interface OwnOrganization {
  readonly id: string;
  readonly name: string;
  readonly status: 'active' | 'suspended';
  readonly memberId: string;
  readonly role: Role;
}

/** Both as the ID token says: another issuer's user may have the same `sub`. */
export interface IssuersUser {
  readonly issuer: string;
  readonly userId: string;
}

const FIND = `SELECT organization_id AS id, name, status, member_id AS "memberId", role
FROM organizations_of_user($1, $2)`;

/** That neither were deleted nor have removed him, the one first that he joined first. */
export const findOwnOrganizations = (
  connection: TenantConnection,
  { issuer, userId }: IssuersUser,
): Promise<readonly OwnOrganization[]> =>
  connection.query<OwnOrganization>({ name: 'onboarding_own', text: FIND, values: [issuer, userId] });
