import { formatBearerChallenge } from '@legate/oauth';
import type { Problem } from '@legate/service';
import type { RequestHandler } from 'express';
import type { Caller } from '../../domain/caller.ts';
import { problem } from '../../domain/problem-codes.ts';
import {
  API_KEY_SCOPES,
  isAtLeast,
  isLimitedToOthers,
  type Role,
  roleHas,
  type Scope,
} from '../../domain/rights.ts';
import { callerOf } from '../authentication/caller-of-request.ts';
import { roleOf } from './admission.ts';

/**
 * Admits callers whose role and token both have the scope. Mounted before the body is read.
 * @throws {Problem} 403 `insufficient_permission`; with a challenge only if another token would help (RFC 6750 §3.1)
 */
export function requireScope(scope: Scope): RequestHandler {
  return (_req, res, next) => {
    const role = roleOf(res);
    if (!roleHas(role, scope)) throw forbidden(scope, `The role ${role} does not allow this.`);
    refuseOtherScopes(scope, callerOf(res));
    next();
  };
}

/**
 * Admits callers whose role is this one or a stronger one.
 * @throws {Problem} 403 `insufficient_permission`
 */
export function requireRole(minimum: Role): RequestHandler {
  return (_req, res, next) => {
    const role = roleOf(res);
    if (!isAtLeast(role, minimum)) {
      throw problem('insufficient_permission', {
        detail: `The role ${role} does not allow this.`,
        extensions: { required_role: minimum },
      });
    }
    next();
  };
}

/**
 * Admits callers without an organization, who have no role yet, if their token is not limited to other scopes.
 * @throws {Problem} 403 `insufficient_permission`
 */
export function requireTokenScope(scope: Scope): RequestHandler {
  return (_req, res, next) => {
    refuseOtherScopes(scope, callerOf(res));
    next();
  };
}

/**
 * Admits only people.
 * @throws {Problem} 403 `insufficient_permission`
 */
export const requirePerson: RequestHandler = (_req, res, next) => {
  const { serviceAccount, looksLike } = callerOf(res);
  if (serviceAccount || looksLike === 'machine') {
    throw problem('insufficient_permission', { detail: 'Only people may do this, not machines.' });
  }
  next();
};

function refuseOtherScopes(scope: Scope, { scope: scopeClaim, credential }: Caller): void {
  if (credential.kind === 'api_key' && !API_KEY_SCOPES.includes(scope)) {
    throw forbidden(scope, 'API keys cannot have this scope.');
  }
  if (!isLimitedToOthers(scopeClaim, scope)) return;
  const challenge = formatBearerChallenge({ error: 'insufficient_scope', scope });
  throw forbidden(scope, `Request a token with the scope ${scope}.`, { 'WWW-Authenticate': challenge });
}

const forbidden = (scope: Scope, detail: string, headers: Record<string, string> = {}): Problem =>
  problem('insufficient_permission', {
    detail,
    headers,
    extensions: { required_scope: scope },
  });
