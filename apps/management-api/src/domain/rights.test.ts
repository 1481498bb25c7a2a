import { describe, expect, it } from '@jest/globals';
import { API_KEY_SCOPES, claimedRole, ROLES, scopesFor } from './rights.ts';

const READ = [
  ...['org:read', 'members:read', 'domains:read', 'sites:read'],
  ...['agents:read', 'connectors:read', 'audit:read', 'usage:read'],
];
const BUILD = ['sites:write', 'agents:write'];
const RUN = [
  ...['members:write', 'invitations:read', 'invitations:write', 'domains:write', 'connectors:write'],
  ...['clients:write', 'audit:export'],
  ...['credentials:read', 'credentials:write'],
];

describe('the permissions of a role', () => {
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

it('returns the strongest of our roles in a token', () => {
  expect(ROLES).toEqual(['owner', 'admin', 'developer', 'viewer']);
  expect(claimedRole(['viewer', 'admin'])).toBe('admin');
  expect(claimedRole(['viewer'])).toBe('viewer');
  expect([[], ['unknown'], undefined].map(claimedRole)).toEqual([undefined, undefined, undefined]);
});

it('allows an API key all scopes except those that create credentials, vouch for applications, invite people or take over an organization', () => {
  expect(API_KEY_SCOPES).toEqual([
    ...READ,
    ...BUILD,
    ...RUN.filter((scope) => !/^(?:credentials:write|clients:write|invitations:.*)$/.test(scope)),
  ]);
});
