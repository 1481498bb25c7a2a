import type { Change } from '../../changes/change.ts';
import type { Caller } from '../../domain/caller.ts';
import { problem } from '../../domain/problem-codes.ts';
import { type Role, type Scope, scopesFor } from '../../domain/rights.ts';
import { statement } from '../../storage/statement.ts';

/** The user or service account that makes credentials, or gives rights to a machine. */
export interface Maker {
  readonly type: 'user' | 'service_account';
  readonly id: Caller['subject'];
  /** The role in the token, which counts only without a membership */
  readonly tokenRole: Role;
  /** The `scope` claim of the maker's token */
  readonly scope: string | undefined;
}

export const makerOf = ({ caller, role }: { caller: Caller; role: Role }): Maker => ({
  type: caller.serviceAccount ? 'service_account' : 'user',
  id: caller.subject,
  tokenRole: role,
  scope: caller.scope,
});

/** Returns the current role of a user; undefined if they are not a member. */
export type FindMemberRole = (change: Change, userId: Caller['subject']) => Promise<Role | undefined>;

/** Returns no row for an account that was disabled or deleted since the request was admitted. */
const ROLE_OF_ACCOUNT = statement('service_account_role')`SELECT role FROM service_accounts
WHERE organization_id = $1 AND id = $2 AND status = 'active' AND deleted_at IS NULL`;

/**
 * Refuses to give a machine a right that its maker does not have, by the maker's current role, not a cached one,
 * and by the scopes of their token.
 * @throws {Problem} 403 `role_escalation`
 */
export async function refuseEscalation(
  change: Change,
  maker: Maker,
  wanted: readonly Scope[],
  findMemberRole: FindMemberRole,
): Promise<void> {
  const role = await roleOf(change, maker, findMemberRole);
  const own = role === undefined ? [] : scopesFor(role, maker.scope);
  const beyond = wanted.filter((scope) => !own.includes(scope));
  if (beyond.length === 0) return;
  throw problem('role_escalation', {
    detail: `You cannot grant what your role or token does not allow: ${beyond.join(' ')}.`,
  });
}

async function roleOf(
  change: Change,
  maker: Maker,
  findMemberRole: FindMemberRole,
): Promise<Role | undefined> {
  if (maker.type === 'user') return (await findMemberRole(change, maker.id)) ?? maker.tokenRole;
  const { connection, organizationId } = change;
  const [row] = await connection.query<{ role: Role }>(ROLE_OF_ACCOUNT(organizationId, maker.id));
  return row?.role;
}
