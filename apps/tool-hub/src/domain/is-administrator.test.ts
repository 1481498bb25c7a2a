import { expect, it } from '@jest/globals';
import { UnsecuredJWT } from 'jose';
import { isAdministrator } from './is-administrator.ts';

it.each<[unknown, boolean]>([
  [['owner'], true],
  [['admin'], true],
  [['viewer', 'admin'], true],
  [['viewer', 'developer'], false],
  [['Admin'], false],
  [[], false],
  ['admin', false],
  [['admin', 7], false],
  [undefined, false],
])('a user whose roles are %j: %s', (roles, expected) => {
  const caller = {
    userId: 'user_alice',
    organizationId: 'org_acme',
    subjectToken: new UnsecuredJWT({ roles }).encode(), // verified before
    subjectTokenId: 'x',
    audiences: ['app'],
    authentication: { client: 'app' },
  };
  expect(isAdministrator(caller)).toBe(expected);
});
