import { describe, expect, it } from '@jest/globals';
import { Problem } from '@legate/service';
import type { Request, Response } from 'express';
import type { Role, Scope } from '../domain/rights.ts';
import { requireScope } from './require-scope.ts';

describe('a right is required', () => {
  function outcomeOf(required: Scope, role: Role, scope: string | undefined) {
    const res = { locals: { caller: { scope }, role } } as unknown as Response;
    let passed = false;
    try {
      requireScope(required)({} as Request, res, () => {
        passed = true;
      });
    } catch (err) {
      if (err instanceof Problem)
        return [err.status, err.code, err.headers['WWW-Authenticate'] ?? 'no challenge'];
      throw err;
    }
    return passed;
  }

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
