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

  it('warns of a tool in a binding that the tool server never listed, once somebody has listed its tools', async () => {
    const { urls } = stack();
    const api = `${urls['management-api']}/api/v1`;
    const { email } = scene.USERS.alice;
    const { idToken, accessToken } = await signIn({
      issuer: urls['mock-idp'],
      email,
      resource: urls['management-api'],
    });
    const tools = `${urls['tool-hub']}/api/v1/connectors/${scene.CONNECTOR}/tools`;
    expect((await exchange('GET', tools, {}, { Authorization: `Bearer ${idToken}` })).status).toBe(200);
    const headers = { Authorization: `Bearer ${accessToken}` };
    const { answer } = await exchange('POST', `${api}/agents`, { json: { name: 'Misspelt' } }, headers);
    const binding = `${api}/agents/${member(answer, 'id')}/connectors/${scene.CONNECTOR}`;
    const bind = { json: { tools: ['whoami', 'whoamy'] } };
    let warnings: unknown;
    for (let tries = 0; warnings === undefined && tries < 100; tries += 1)
      ({ warnings } = Object((await exchange('PUT', binding, bind, headers)).answer)); // the hub reports the tools asynchronously
    expect(warnings).toMatchObject([{ pointer: '/tools/1', code: 'tool_not_listed' }]);
  });
}
