import { describe, expect, it } from '@jest/globals';
import { AgentId, OrganizationId, UserId } from '@legate/ids';
import { UnsecuredJWT } from 'jose';
import { type MemberRoles, NO_CONNECTORS, NO_ROLES } from './connector-set.ts';
import { createUserRights } from './user-rights.ts';

const userWith = (roles: unknown, agentId?: AgentId) => ({
  userId: UserId.parse('user_alice'),
  organizationId: OrganizationId.parse('org_acme'),
  subjectToken: `${new UnsecuredJWT({ roles }).encode()}AA`, // the signature has been verified before
  agentId,
});
const rightsWith = (roles: MemberRoles) =>
  createUserRights({ of: async () => ({ ...NO_CONNECTORS, roles }) });
const isOne = async (members: MemberRoles, claimed: unknown) => {
  const rights = rightsWith(members);
  const user = userWith(claimed);
  return [await rights.isAdministrator(user), await rights.isIntegrator(user)];
};
const NOBODY = [false, false];
const DEVELOPER = [false, true];
const ADMINISTRATOR = [true, true];

describe('for a user whom management-api does not know, the ID token decides who is an administrator', () => {
  it.each<[unknown, boolean[]]>([
    [['owner'], ADMINISTRATOR],
    [['admin'], ADMINISTRATOR],
    [['viewer', 'admin'], ADMINISTRATOR],
    [['viewer', 'developer'], DEVELOPER],
    [['Admin'], NOBODY],
    [[], NOBODY],
    ['admin', NOBODY],
    [['admin', 7], NOBODY],
    [undefined, NOBODY],
  ])('with the roles %j', async (roles, expected) => {
    expect(await isOne(NO_ROLES, roles)).toEqual(expected);
    expect(await isOne({ ...NO_ROLES, areManagedByIdp: true }, roles)).toEqual(expected);
  });
});

describe('for a member, the role at management-api decides', () => {
  const member = (role: string, areManagedByIdp = false): MemberRoles => ({
    byUser: new Map([['user_alice', role]]),
    areManagedByIdp,
  });

  it.each<[string, unknown, boolean[]]>([
    ['owner', undefined, ADMINISTRATOR],
    ['admin', ['viewer'], ADMINISTRATOR],
    ['developer', ['owner'], DEVELOPER],
    ['viewer', ['owner'], NOBODY],
    ['a role of a newer version', ['owner'], NOBODY],
  ])('%s, whatever the ID token claims: %j', async (role, claimed, expected) => {
    expect(await isOne(member(role), claimed)).toEqual(expected);
  });

  it.each<[string, unknown, boolean[]]>([
    ['admin', ['viewer'], NOBODY],
    ['admin', ['developer'], DEVELOPER],
    ['developer', ['owner'], DEVELOPER],
    ['admin', ['owner'], ADMINISTRATOR],
    ['admin', ['a group'], ADMINISTRATOR],
    ['admin', undefined, ADMINISTRATOR],
  ])(
    'or a weaker one in the token, if the identity provider manages roles: %s, %j',
    async (role, claimed, expected) => {
      expect(await isOne(member(role, true), claimed)).toEqual(expected);
    },
  );
});

it.each([NO_ROLES, { byUser: new Map([['user_alice', 'owner']]), areManagedByIdp: false }])(
  'gives no rights in a session that is bound to an agent: %j',
  async (members) => {
    const user = userWith(['owner'], AgentId.parse('agt_a'));
    const rights = rightsWith(members);
    expect([await rights.isAdministrator(user), await rights.isIntegrator(user)]).toEqual(NOBODY);
  },
);
