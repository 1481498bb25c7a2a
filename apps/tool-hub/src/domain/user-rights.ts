import { decodeJwt } from 'jose';
import { z } from 'zod';
import type { Caller } from './caller.ts';
import type { MemberRoles } from './connector-set.ts';
import type { ConnectorRegistry } from './registry.ts';

/** Roles of management-api that the hub uses, strongest first */
const ROLES = ['owner', 'admin', 'developer', 'viewer'] as const;
type Role = (typeof ROLES)[number];

const ClaimedRoles = z.array(z.string()).catch([]);

type User = Pick<Caller, 'organizationId' | 'userId' | 'subjectToken' | 'agentId'>;

/** What a user may see of an organization besides their own data. All methods throw the errors of the registry. */
export interface UserRights {
  /** True for users who may see what others of the organization did, and how its connectors are configured */
  isAdministrator(user: User): Promise<boolean>;
  /** True for users who integrate tool servers: administrators and developers */
  isIntegrator(user: User): Promise<boolean>;
}

/**
 * Determines a user's rights from the member's current role at management-api, because an ID token may contain a former
 * role. Only for a user who is not a member yet does the token decide, as at management-api; a former member has no
 * role. A session that is bound to an agent has the agent's rights, and no role of its user.
 */
export function createUserRights(registry: Pick<ConnectorRegistry, 'of'>): UserRights {
  const isOneOf = async (user: User, roles: readonly Role[]): Promise<boolean> => {
    if (user.agentId !== undefined) return false;
    const organization = await registry.of(user.organizationId);
    return !organization.removedUsers.has(user.userId) && roles.includes(roleOf(user, organization.roles));
  };
  return {
    isAdministrator: (user) => isOneOf(user, ['owner', 'admin']),
    isIntegrator: (user) => isOneOf(user, ['owner', 'admin', 'developer']),
  };
}

function roleOf({ userId, subjectToken }: User, { byUser, areManagedByIdp }: MemberRoles): Role {
  const claimed = strongest(ClaimedRoles.parse(decodeJwt(subjectToken).roles));
  const known = byUser.get(userId);
  if (known === undefined) return claimed ?? 'viewer';
  const role = strongest([known]) ?? 'viewer';
  // management-api learns of a new role with the next token that it receives. Until then the weaker one counts.
  return areManagedByIdp && claimed !== undefined ? weaker(role, claimed) : role;
}

const strongest = (names: readonly string[]): Role | undefined => ROLES.find((role) => names.includes(role));

const weaker = (one: Role, other: Role): Role => (ROLES.indexOf(one) > ROLES.indexOf(other) ? one : other);
