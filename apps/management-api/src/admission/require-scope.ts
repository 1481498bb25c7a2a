import { formatBearerChallenge } from '@legate/oauth';
import type { Problem } from '@legate/service';
import type { RequestHandler } from 'express';
import { callerOf } from '../authentication/caller-of-request.ts';
import { problem } from '../domain/problem-codes.ts';
import { isLimitedToOthers, roleHas, type Scope } from '../domain/rights.ts';
import { roleOf } from './admission.ts';

/**
 * Lets callers pass whose role and token both allow it. Mounted before the body is read.
 * @throws {Problem} 403 `insufficient_permission`; with a challenge only where another token would help (RFC 6750 §3.1)
 */
export function requireScope(scope: Scope): RequestHandler {
  return (_req, res, next) => {
    const role = roleOf(res);
    if (!roleHas(role, scope)) throw forbidden(scope, `The role ${role} does not allow it.`);
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
