import { describe, expect, it } from '@jest/globals';
import { Problem } from '@legate/service';
import type { Request, RequestHandler, Response } from 'express';
import type { Role, Scope } from '../../domain/rights.ts';
import { requirePerson, requireScope, requireTokenScope } from './require-scope.ts';

function outcomeBy(
  handler: RequestHandler,
  role: Role | undefined,
  scope: string | undefined,
  kind = 'access_token',
  serviceAccount?: object,
) {
  const res = {
    locals: { caller: { scope, credential: { kind }, serviceAccount }, role },
  } as unknown as Response;
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

  it('from both role and token', () => {
    expect(outcomeOf('sites:write', 'developer', undefined)).toBe(true);
    expect(outcomeOf('sites:write', 'developer', 'openid sites:write')).toBe(true);
  });

  it('from the role, without a challenge, since another token would not help', () => {
    const refused = [403, 'insufficient_permission', 'no challenge'];
    expect(outcomeOf('sites:write', 'viewer', 'sites:write')).toEqual(refused);
    expect(outcomeOf('org:write', 'admin', undefined)).toEqual(refused);
  });

  it('from the token, with a challenge that names the missing scope', () => {
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

it('refuses an API key the scopes that keys never have', () => {
  const scope = 'org:write credentials:write sites:write';
  const outcomeOf = (required: Scope) => outcomeBy(requireScope(required), 'owner', scope, 'api_key');
  expect(outcomeOf('sites:write')).toBe(true);
  expect(outcomeOf('org:write')).toEqual([403, 'insufficient_permission', 'no challenge']);
  expect(outcomeOf('credentials:write')).toEqual([403, 'insufficient_permission', 'no challenge']);
  const token = requireTokenScope('org:write');
  expect(outcomeBy(token, undefined, scope, 'api_key')).toEqual([
    403,
    'insufficient_permission',
    'no challenge',
  ]);
});

it('refuses machines the operations that only people may call', () => {
  expect(outcomeBy(requirePerson, 'admin', undefined)).toBe(true);
  const machine = outcomeBy(requirePerson, 'admin', undefined, 'access_token', { id: 'sva_1', name: 'CI' });
  expect(machine).toEqual([403, 'insufficient_permission', 'no challenge']);
});
