const READ = [
  'org:read',
  'members:read',
  'domains:read',
  'sites:read',
  'agents:read',
  'connectors:read',
  'audit:read',
  'usage:read',
] as const;
const DEVELOPER = [...READ, 'sites:write', 'agents:write'] as const;
const ADMIN = [
  ...DEVELOPER,
  'members:write',
  'invitations:read',
  'invitations:write',
  'domains:write',
  'connectors:write',
  'clients:write',
  'audit:export',
  'credentials:read',
  'credentials:write',
] as const;
const OWNER = [...ADMIN, 'org:write'] as const;

export type Scope = (typeof OWNER)[number];
/** The rights of each role; the strongest role first. */
const SCOPES_OF = {
  owner: new Set<Scope>(OWNER),
  admin: new Set<Scope>(ADMIN),
  developer: new Set<Scope>(DEVELOPER),
  viewer: new Set<Scope>(READ),
} as const;

export type Role = keyof typeof SCOPES_OF;
export const ROLES = Object.keys(SCOPES_OF) as readonly Role[];

/** The strongest role of a machine: it cannot own an organization, because nobody could be asked. */
export const SERVICE_ACCOUNT_ROLES = ['admin', 'developer', 'viewer'] as const satisfies readonly Role[];
export type ServiceAccountRole = (typeof SERVICE_ACCOUNT_ROLES)[number];

/**
 * Scopes that no API key may have. Anyone who finds a key must not be able to create further credentials with
 * it, vouch for an application, invite people, or take over the organization.
 */
const NEVER_OF_KEYS: readonly Scope[] = [
  'org:write',
  'clients:write',
  'credentials:write',
  'invitations:read',
  'invitations:write',
];
/** The scopes that an API key may have. The table of keys also refuses all others. */
export const API_KEY_SCOPES: readonly Scope[] = OWNER.filter((scope) => !NEVER_OF_KEYS.includes(scope));

/** Scopes of OpenID Connect Core §5.4 and §11: they concern the user's data, and do not limit rights at an API. */
const SIGN_IN_SCOPES: readonly string[] = [
  'openid',
  'profile',
  'email',
  'address',
  'phone',
  'offline_access',
];

/** The role of a member whose first token has none of our roles; `none` admits only users with a role. */
export const DEFAULT_ROLES = ['none', 'viewer', 'developer', 'admin'] as const;
export type DefaultRole = (typeof DEFAULT_ROLES)[number];

/** The source of a member's role. `local`: the roles of a token apply only once, when its user becomes a member. */
export const ROLE_SOURCES = ['local', 'identity_provider'] as const;
export type RoleSource = (typeof ROLE_SOURCES)[number];

/** Returns the strongest of our roles that a token has. */
export const claimedRole = (roles: readonly string[] | undefined): Role | undefined =>
  ROLES.find((role) => roles?.includes(role));

/** Returns true if a role is at least as strong as another. */
export const isAtLeast = (role: Role, minimum: Role): boolean =>
  ROLES.indexOf(role) <= ROLES.indexOf(minimum);

/** Returns true if a role has a scope, whatever the token contains. */
export const roleHas = (role: Role, scope: Scope): boolean => SCOPES_OF[role].has(scope);

/**
 * Returns the scopes of a role with a token of this `scope`. A token without scopes, or with only those for
 * signing in, is not limited.
 */
export function scopesFor(role: Role, scopeClaim: string | undefined): readonly Scope[] {
  const limit = limitsOf(scopeClaim);
  return [...SCOPES_OF[role]].filter((scope) => !limit || limit.includes(scope));
}

/** Returns true if a token of this `scope` is limited to other scopes. */
export function isLimitedToOthers(scopeClaim: string | undefined, scope: Scope): boolean {
  const limit = limitsOf(scopeClaim);
  return limit !== undefined && !limit.includes(scope);
}

function limitsOf(scopeClaim: string | undefined): readonly string[] | undefined {
  if (scopeClaim === undefined) return undefined;
  const scopes = scopeClaim.split(' ').filter((scope) => scope && !SIGN_IN_SCOPES.includes(scope));
  return scopes.length === 0 ? undefined : scopes;
}
