import { describe, expect, it } from '@jest/globals';
import { Problem } from '@legate/service';
import type { Request, RequestHandler, Response } from 'express';
import type { Role, Scope } from '../domain/rights.ts';
import { requireScope, requireTokenScope } from './require-scope.ts';

function outcomeBy(handler: RequestHandler, role: Role | undefined, scope: string | undefined) {
  const res = { locals: { caller: { scope }, role } } as unknown as Response;
  let passed = false;
  try {
    handler({} as Request, res, () => {
      passed = true;
    });
  } catch (err) {
    if (err instanceof Problem)
      return [err.status, err.code, err.headers['WWW-Authenticate'] ?? 'no challenge'];
    throw err;
  }
  return passed;
}

describe('a right is required', () => {
  const outcomeOf = (required: Scope, role: Role, scope: string | undefined) =>
    outcomeBy(requireScope(required), role, scope);

  it('of role and token', () => {
    expect(outcomeOf('sites:write', 'developer', undefined)).toBe(true);
    expect(outcomeOf('sites:write', 'developer', 'openid sites:write')).toBe(true);
  });

  it('and another token does not help a role without it', () => {
    const refused = [403, 'insufficient_permission', 'no challenge'];
    expect(outcomeOf('sites:write', 'viewer', 'sites:write')).toEqual(refused);
    expect(outcomeOf('org:write', 'admin', undefined)).toEqual(refused);
  });

  it('and a token without it gets the missing scope', () => {
    expect(outcomeOf('sites:write', 'owner', 'sites:read')).toEqual([
      403,
      'insufficient_permission',
      'Bearer error="insufficient_scope", scope="sites:write"',
    ]);
  });
});

it('lets a caller without a role pass if their token is not limited to other scopes', () => {
  const outcomeOf = (scope: string | undefined) => outcomeBy(requireTokenScope('org:read'), undefined, scope);
  expect([outcomeOf(undefined), outcomeOf('openid'), outcomeOf('org:read')]).toEqual([true, true, true]);
  expect(outcomeOf('sites:read')).toEqual([
    403,
    'insufficient_permission',
    'Bearer error="insufficient_scope", scope="org:read"',
  ]);
});
