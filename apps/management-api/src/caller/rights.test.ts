import { describe, expect, it } from '@jest/globals';
import { Problem } from '@legate/service';
import type { Request, Response } from 'express';
import { ROLES, requireScope, roleFromToken, roleOf, type Scope, scopesFor, setRole } from './rights.ts';

const READ = [
  ...['org:read', 'members:read', 'domains:read', 'sites:read'],
  ...['agents:read', 'connectors:read', 'audit:read', 'usage:read'],
];
const BUILD = ['sites:write', 'agents:write'];
const RUN = ['members:write', 'domains:write', 'connectors:write'];

describe('what a role may do', () => {
  it.each([
    ['owner', [...READ, ...BUILD, ...RUN, 'org:write']],
    ['admin', [...READ, ...BUILD, ...RUN]],
    ['developer', [...READ, ...BUILD]],
    ['viewer', READ],
  ] as const)('as %s', (role, scopes) => {
    expect(scopesFor(role, undefined)).toEqual(scopes);
  });

  it.each<[string, string | undefined, string[]]>([
    ['one scope of ours', 'sites:read', ['sites:read']],
    ['scopes of ours beside those of a sign-in', 'openid profile sites:read', ['sites:read']],
    ['more than the role may', 'sites:read org:write', ['sites:read']],
    ['nothing of ours', 'calendar', []],
  ])('with a token that has %s', (_case, scope, expected) => {
    expect(scopesFor('viewer', scope)).toEqual(expected);
  });

  it.each([undefined, '', 'openid profile email address phone offline_access'])(
    'is not limited by a token for signing in only: %j',
    (scope) => {
      expect(scopesFor('viewer', scope)).toEqual(READ);
    },
  );
});

it('takes the strongest role of a token, and developer where it names none', () => {
  expect(ROLES).toEqual(['owner', 'admin', 'developer', 'viewer']);
  expect(roleFromToken(['viewer', 'admin'])).toBe('admin');
  expect(roleFromToken(['viewer'])).toBe('viewer');
  expect([roleFromToken([]), roleFromToken(['unknown']), roleFromToken(undefined)]).toEqual([
    'developer',
    'developer',
    'developer',
  ]);
});

describe('a right is required', () => {
  function outcomeOf(required: Scope, role: (typeof ROLES)[number], scope: string | undefined) {
    const res = { locals: { caller: { scope } } } as unknown as Response;
    setRole(res, role);
    expect(roleOf(res)).toBe(role);
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

  it('and another token does not help a role that has it not', () => {
    const refused = [403, 'insufficient_permission', 'no challenge'];
    expect(outcomeOf('sites:write', 'viewer', 'sites:write')).toEqual(refused);
    expect(outcomeOf('org:write', 'admin', undefined)).toEqual(refused);
  });

  it('and a token that has it not is told of the scope', () => {
    expect(outcomeOf('sites:write', 'owner', 'sites:read')).toEqual([
      403,
      'insufficient_permission',
      'Bearer error="insufficient_scope", scope="sites:write"',
    ]);
  });
});
