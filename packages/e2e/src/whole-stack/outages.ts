import { beforeAll, describe, expect, it } from '@jest/globals';
import { createLegs, exchange, type Legs, member, scene, signIn } from '@legate/dev';
import type { StackUnderTest } from '../stack-under-test.ts';

export function describeOutages(stack: () => StackUnderTest): void {
  describe('a stack', () => {
    let legs: Legs;
    let alice: string;
    let bob: string;
    let apiToken: string;

    beforeAll(async () => {
      const { urls } = stack();
      legs = createLegs(urls);
      const issuer = urls['mock-idp'];
      const idTokenOf = async (user: 'alice' | 'bob') =>
        (await signIn({ issuer, email: scene.USERS[user].email })).idToken;
      await legs.signOutOfHub(await idTokenOf('bob')); // the hub has no token for Bob
      [alice, bob] = [await idTokenOf('alice'), await idTokenOf('bob')];
      apiToken = (await signIn({ issuer, email: scene.USERS.alice.email, resource: urls['management-api'] }))
        .accessToken;
      expect((await legs.callThroughHub(alice, 'whoami')).status).toBe(200);
    });

    it('without the identity provider, serves calls with cached tokens and returns 503 for the others', async () => {
      stack().signal('mock-idp', 'SIGKILL');

      const cached = await legs.callThroughHub(alice, 'whoami');
      const fresh = await legs.callThroughHub(bob, 'whoami');
      const sites = await exchange(
        'GET',
        `${stack().urls['management-api']}/api/v1/sites`,
        {},
        {
          Authorization: `Bearer ${apiToken}`,
        },
      );
      expect([cached.status, cached.answerHeaders.get('legate-token-cache')]).toEqual([200, 'hit']);
      expect([fresh.status, member(fresh.answer, 'code')]).toEqual([503, 'idp_unavailable']);
      expect(fresh.answerHeaders.get('retry-after')).toMatch(/^\d+$/);
      // It knows the issuer's keys, since the hub has asked it for connectors.
      expect(sites.status).toBe(200);
    });

    it('without the tool server, returns 503', async () => {
      stack().signal('reference-mcp-server', 'SIGKILL');
      const call = await legs.callThroughHub(alice, 'whoami');
      expect([call.status, member(call.answer, 'code')]).toEqual([503, 'tool_server_unavailable']);
      expect(call.answerHeaders.get('retry-after')).toMatch(/^\d+$/);
    });
  });
}
