import { expect, it } from '@jest/globals';
import { OrganizationId, UserId } from '@legate/ids';
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
    userId: UserId.parse('user_alice'),
    organizationId: OrganizationId.parse('org_acme'),
    subjectToken: `${new UnsecuredJWT({ roles }).encode()}AA`, // verified before
    subjectTokenId: 'x',
    audiences: ['app'],
    authentication: { client: 'app' },
  };
  expect(isAdministrator(caller)).toBe(expected);
});
