import { expect, it } from '@jest/globals';
import { exchange, member, scene, signIn } from '@legate/dev';
import type { StackUnderTest } from '../stack-under-test.ts';

export function describeRights(stack: () => StackUnderTest): void {
  it.each([
    ['alice', 'owner', 200],
    ['bob', 'developer', 403],
    ['carol', 'owner', 200],
  ] as const)(
    '%s works at the management API as %s, by the word of the identity provider',
    async (user, role, renamed) => {
      const api = stack().urls['management-api'];
      const { email } = scene.USERS[user];
      const { accessToken } = await signIn({ issuer: stack().urls['mock-idp'], email, resource: api });
      const headers = { Authorization: `Bearer ${accessToken}` };

      const me = await exchange('GET', `${api}/api/v1/me`, {}, headers);
      const rename = { json: { name: `The company of ${user}` } };
      const changed = await exchange('PATCH', `${api}/api/v1/organization`, rename, headers);

      expect([member(me.answer, 'role'), changed.status]).toEqual([role, renamed]);
    },
  );
}
