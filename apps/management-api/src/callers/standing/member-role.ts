import type { Author } from '../../domain/author.ts';
import type { Caller } from '../../domain/caller.ts';
import { problem } from '../../domain/problem-codes.ts';
import { isOfRevokedAccess } from '../../domain/revoked-access.ts';
import { claimedRole, type DefaultRole, type Role } from '../../domain/rights.ts';
import type { FindInvitedAs, Joining } from './joining.ts';
import type { NoteSeen } from './note-seen.ts';
import { accessRevoked, clientDenied, keptOut } from './problems.ts';
import type { Standing } from './standing-store.ts';
import type { Standings } from './standings.ts';

/**
 * Returns the role of a caller. The first token of a user makes them a member; from then on the role in their row
 * applies.
 * @throws {Problem} 401 `token_invalid` after the user's access was revoked; 403 `membership_revoked`,
 * `membership_deactivated`, `consent_denied`, `membership_required`, `member_limit_reached`
 * @throws {DatabaseUnavailable}
 */
export type ResolveRole = (
  standing: Standing,
  caller: Caller,
  /** Called only if something changes */
  author: () => Author,
) => Promise<Role>;

export function createResolveRole(deps: {
  standings: Standings;
  joining: Joining;
  invitedAs: FindInvitedAs;
  noteSeen: NoteSeen;
  /** Default role for organizations without a default role of their own */
  defaultRole: DefaultRole;
  /** Called for each request of a user who may not become a member. */
  onRefused: (reason: 'no_role' | 'limit') => void;
}): ResolveRole {
  const { standings, joining, noteSeen, onRefused } = deps;

  /** The role that a user gets with their first token. */
  function firstRole({ organization }: Standing, { roles }: Caller): Role {
    const role = claimedRole(roles) ?? organization.defaultRole ?? deps.defaultRole;
    if (role !== 'none') return role;
    onRefused('no_role');
    throw problem('membership_required', { detail: 'You have no role in this organization.' });
  }

  async function readAgain({ organization }: Standing, { subject }: Caller): Promise<Standing> {
    standings.forget(organization.id, subject);
    return standings.get(organization.id, subject);
  }

  return async (standing, caller, author) => {
    let { membership } = standing;
    if (membership.state === 'kept_out') throw keptOut(membership.status);
    if (membership.state === 'active' && isOfRevokedAccess(membership.accessRevokedAt, caller))
      throw accessRevoked();
    if (isDeniedClient(standing, caller)) throw clientDenied();
    if (membership.state === 'unknown') {
      // A transaction token admits the user to one operation only; users become members through their own tokens.
      if (caller.isTransaction) return firstRole(standing, caller);
      const invited = await deps.invitedAs(standing.organization.id, caller.subject);
      await joining.join(author(), caller, invited?.role ?? firstRole(standing, caller), invited);
      ({ membership } = await readAgain(standing, caller));
    }
    if (membership.state === 'unknown') {
      onRefused('limit');
      throw problem('member_limit_reached', {
        detail: 'The organization has reached its maximum number of members.',
      });
    }
    if (membership.state === 'kept_out') throw keptOut(membership.status);

    if (isRoleToHeed(standing, caller)) {
      await joining.heedRole(author(), caller, claimedRole(caller.roles) ?? membership.role);
      const after = await readAgain(standing, caller);
      if (after.membership.state === 'kept_out') throw keptOut(after.membership.status);
      if (after.membership.state === 'active') membership = after.membership;
    }
    if (!caller.isTransaction) await noteSeen(standing.organization, membership, caller);
    return membership.role;
  };
}

/** Returns true for an application that the user denied. A token that names no application cannot be refused for it. */
export const isDeniedClient = (
  { deniedClients }: Pick<Standing, 'deniedClients'>,
  { credential: { clientId } }: Pick<Caller, 'credential'>,
): boolean => clientId !== null && deniedClients.includes(clientId);

/**
 * Returns true if the token's role replaces the stored one: the identity provider manages roles, and the token is
 * newer than the last one applied, and has a role of ours.
 */
function isRoleToHeed({ organization, membership }: Standing, caller: Caller): boolean {
  if (organization.roleSource !== 'identity_provider' || membership.state !== 'active') return false;
  if (caller.isTransaction || caller.issuedAt === undefined || !claimedRole(caller.roles)) return false;
  return membership.roleClaimedAt === null || caller.issuedAt > membership.roleClaimedAt;
}
