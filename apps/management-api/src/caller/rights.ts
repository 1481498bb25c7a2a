import { formatBearerChallenge } from '@legate/oauth';
import { Problem } from '@legate/service';
import type { RequestHandler, Response } from 'express';
import { callerOf } from './caller.ts';

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
const ADMIN = [...DEVELOPER, 'members:write', 'domains:write', 'connectors:write'] as const;
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

/** OpenID Connect Core §5.4 and §11: they are about the user, and limit no right at an API. */
const SIGN_IN_SCOPES: readonly string[] = [
  'openid',
  'profile',
  'email',
  'address',
  'phone',
  'offline_access',
];

/** The strongest role that the token names, or `developer`: a token without any claim of ours must be able to work. */
export function roleFromToken(roles: readonly string[] | undefined): Role {
  return ROLES.find((role) => roles?.includes(role)) ?? 'developer';
}

/** What a role may do with a token of this `scope`. A token without one, or for signing in only, is not limited. */
export function scopesFor(role: Role, scopeClaim: string | undefined): readonly Scope[] {
  const limit = limitsOf(scopeClaim);
  return [...SCOPES_OF[role]].filter((scope) => !limit || limit.includes(scope));
}

function limitsOf(scopeClaim: string | undefined): readonly string[] | undefined {
  const scopes = (scopeClaim ?? '').split(' ').filter((scope) => scope && !SIGN_IN_SCOPES.includes(scope));
  return scopes.length === 0 ? undefined : scopes;
}

export function setRole(res: Response, role: Role): void {
  res.locals.role = role;
}

/** The role of an admitted caller. */
export function roleOf(res: Response): Role {
  return res.locals.role as Role;
}

/**
 * Lets callers pass whose role and token both allow it. Mounted before the body is read.
 * @throws {Problem} 403 `insufficient_permission`; with a challenge only where another token would help (RFC 6750 §3.1)
 */
export function requireScope(scope: Scope): RequestHandler {
  return (_req, res, next) => {
    const role = roleOf(res);
    if (!SCOPES_OF[role].has(scope)) throw forbidden(scope, `The role ${role} does not allow it.`);
    refuseOtherScopes(scope, callerOf(res).scope);
    next();
  };
}

/**
 * Lets callers without an organization pass, who have no role there yet, where their token is not limited to other scopes.
 * @throws {Problem} 403 `insufficient_permission`
 */
export function requireTokenScope(scope: Scope): RequestHandler {
  return (_req, res, next) => {
    refuseOtherScopes(scope, callerOf(res).scope);
    next();
  };
}

function refuseOtherScopes(scope: Scope, scopeClaim: string | undefined): void {
  const limit = limitsOf(scopeClaim);
  if (!limit || limit.includes(scope)) return;
  const challenge = formatBearerChallenge({ error: 'insufficient_scope', scope });
  throw forbidden(scope, `Request a token with the scope ${scope}.`, { 'WWW-Authenticate': challenge });
}

const forbidden = (scope: Scope, detail: string, headers: Record<string, string> = {}): Problem =>
  new Problem(403, 'insufficient_permission', 'Insufficient permission', {
    detail,
    headers,
    extensions: { required_scope: scope },
  });
