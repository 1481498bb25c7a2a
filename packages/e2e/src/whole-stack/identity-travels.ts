import { beforeAll, describe, expect, it } from '@jest/globals';
import {
  createLegs,
  exchange,
  isExpected,
  type Legs,
  listAttacks,
  member,
  scene,
  signIn,
  text,
} from '@legate/dev';
import { decodeJwt } from 'jose';
import type { StackUnderTest } from '../stack-under-test.ts';

export function describeIdentity(stack: () => StackUnderTest): void {
  describe('identity', () => {
    let urls: StackUnderTest['urls'];
    let legs: Legs;
    let alice: string;
    let bob: string;

    beforeAll(async () => {
      urls = stack().urls;
      legs = createLegs(urls);
      [alice, bob] = [await idTokenOf('alice'), await idTokenOf('bob')];
    });

    const idTokenOf = async (user: 'alice' | 'bob'): Promise<string> =>
      (await signIn({ issuer: urls['mock-idp'], email: scene.USERS[user].email })).idToken;

    describe('a signed-in user', () => {
      it('is the same user in the ID-JAG, the access token and the tool call', async () => {
        const idJag = text((await legs.exchangeIdToken(alice)).answer, 'access_token');
        const accessToken = text((await legs.redeemAssertion(idJag)).answer, 'access_token');
        const called = await legs.callTool(accessToken, 'whoami');

        const toolServer = urls['reference-mcp-server'];
        expect(decodeJwt(alice).sub).toBe('user_alice');
        expect(decodeJwt(idJag)).toMatchObject({
          iss: urls['mock-idp'],
          sub: 'user_alice',
          aud: toolServer,
          resource: toolServer,
          client_id: 'tool-hub',
          scope: 'mcp:tools:read mcp:tools:call',
          organization_id: 'org_acme',
        });
        expect(decodeJwt(accessToken)).toMatchObject({
          iss: `${toolServer}/oauth/token`,
          sub: 'user_alice',
          aud: toolServer,
          organization_id: 'org_acme',
        });
        expect(called.status).toBe(200);
        expect(JSON.stringify(member(called.answer, 'result'))).toContain('user_alice');
      });

      it('calls a tool through the hub, first by three legs and then from the cache', async () => {
        await legs.signOutOfHub(alice);
        alice = await idTokenOf('alice');
        const first = await legs.callThroughHub(alice, 'whoami');
        const second = await legs.callThroughHub(alice, 'whoami');
        expect([first.status, first.answerHeaders.get('legate-token-cache')]).toEqual([200, 'miss']);
        expect([second.status, second.answerHeaders.get('legate-token-cache')]).toEqual([200, 'hit']);
        expect(JSON.stringify(second.answer)).toContain('user_alice');
      });

      it('reads only their own notes', async () => {
        await legs.callThroughHub(alice, 'create_note', { text: 'a secret of Alice' });
        await legs.callThroughHub(bob, 'create_note', { text: 'a secret of Bob' });
        const [ofAlice, ofBob] = await Promise.all([
          legs.callThroughHub(alice, 'list_notes'),
          legs.callThroughHub(bob, 'list_notes'),
        ]);
        expect(JSON.stringify(ofAlice.answer)).toContain('a secret of Alice');
        expect(JSON.stringify(ofAlice.answer)).not.toContain('a secret of Bob');
        expect(JSON.stringify(ofBob.answer)).toContain('a secret of Bob');
        expect(JSON.stringify(ofBob.answer)).not.toContain('a secret of Alice');
      });

      it('of two organizations finds in each of them only the notes written there', async () => {
        const admin = async (method: string, path: string, json?: object) => {
          const answer = await fetch(`${urls['mock-idp']}/admin${path}`, {
            method,
            headers: { Authorization: `Bearer ${scene.IDP_ADMIN_KEY}`, 'Content-Type': 'application/json' },
            ...(json && { body: JSON.stringify(json) }),
          });
          expect([path, answer.ok]).toEqual([path, true]);
          return answer.status === 204 ? undefined : await answer.json();
        };
        const email = 'frances@two.example';
        await admin('POST', '/users', { email, name: 'Frances', password: scene.PASSWORD });
        /** An ID token for one organization: the provider names the only one that the user belongs to. */
        const idTokenFor = async (organization: string, former?: string): Promise<string> => {
          if (former)
            await admin('DELETE', `/memberships?user=${encodeURIComponent(email)}&organization=${former}`);
          await admin('POST', '/memberships', { user: email, organization });
          return text(
            await admin('POST', '/id-tokens', { user: email, client_id: scene.IDP_CLIENTS.frontend.id }),
            'id_token',
          );
        };
        const notesOf = async (idToken: string) =>
          JSON.stringify((await legs.callThroughHub(idToken, 'list_notes')).answer);

        const atAcme = await idTokenFor('org_acme');
        const written = await legs.callThroughHub(atAcme, 'create_note', { text: 'for Acme alone' });
        expect(written.status).toBe(200);
        const atGlobex = await idTokenFor('org_globex', 'org_acme');
        expect(await notesOf(atGlobex)).not.toContain('for Acme alone');
        await legs.callThroughHub(atGlobex, 'create_note', { text: 'for Globex alone' });
        expect(await notesOf(atGlobex)).toContain('for Globex alone');

        const atAcmeAgain = await idTokenFor('org_acme', 'org_globex');
        const notes = await notesOf(atAcmeAgain);
        expect(notes).toContain('for Acme alone');
        expect(notes).not.toContain('for Globex alone');
      });

      it("is never served another user's token when both call at once", async () => {
        await legs.signOutOfHub(alice);
        await legs.signOutOfHub(bob);
        [alice, bob] = [await idTokenOf('alice'), await idTokenOf('bob')];
        const callers = Array.from({ length: 40 }, (_, index) => (index % 2 === 0 ? alice : bob));
        const answers = await Promise.all(callers.map((token) => legs.callThroughHub(token, 'whoami')));
        answers.forEach((answer, index) => {
          expect(answer.status).toBe(200);
          expect(JSON.stringify(answer.answer)).toContain(index % 2 === 0 ? 'user_alice' : 'user_bob');
        });
      });

      it('with a wrong password sees an error on the page and gets no code', async () => {
        const attempt = signIn({
          issuer: urls['mock-idp'],
          email: scene.USERS.alice.email,
          password: 'wrong',
        });
        await expect(attempt).rejects.toThrow(/password/i);
      });
    });

    describe('sites', () => {
      it('are listed for their organization and not found by another one', async () => {
        const issuer = urls['mock-idp'];
        const resource = urls['management-api'];
        const [acme, globex] = await Promise.all([
          signIn({ issuer, email: scene.USERS.alice.email, resource }),
          signIn({ issuer, email: scene.USERS.carol.email, resource }),
        ]);
        const as = (token: string) => ({ Authorization: `Bearer ${token}` });
        const created = await exchange(
          'POST',
          `${resource}/api/v1/sites`,
          { json: { name: 'Customer portal', allowed_origins: ['https://portal.acme.example'] } },
          as(acme.accessToken),
        );
        const id = text(created.answer, 'id');

        const own = await exchange('GET', `${resource}/api/sites?limit=100`, {}, as(acme.accessToken));
        const foreign = await exchange('GET', `${resource}/api/v1/sites/${id}`, {}, as(globex.accessToken));
        const foreignList = await exchange('GET', `${resource}/api/v1/sites`, {}, as(globex.accessToken));
        expect(member(own.answer, 'data')).toEqual(expect.arrayContaining([expect.objectContaining({ id })]));
        expect(own.answerHeaders.get('x-ratelimit-limit')).toBe('300');
        expect(foreign.status).toBe(404);
        expect(JSON.stringify(foreignList.answer)).not.toContain(id);
        expect(foreignList.answerHeaders.get('x-ratelimit-limit')).toBe('60');
      });
    });

    it('refuses every attack of the demo, each with its own error', async () => {
      const issuer = urls['mock-idp'];
      const resource = urls['management-api'];
      const [erin, carol, aliceAtApi] = await Promise.all([
        signIn({ issuer, email: scene.USERS.erin.email }),
        signIn({ issuer, email: scene.USERS.carol.email, resource }),
        signIn({ issuer, email: scene.USERS.alice.email, resource }),
      ]);
      const site = await exchange(
        'POST',
        `${resource}/api/v1/sites`,
        { json: { name: 'Portal' } },
        {
          Authorization: `Bearer ${aliceAtApi.accessToken}`,
        },
      );
      const attacks = listAttacks(urls, legs, {
        alice,
        erin: erin.idToken,
        carolApiToken: carol.accessToken,
        siteId: text(site.answer, 'id'),
      });
      expect(attacks.length).toBeGreaterThanOrEqual(10);
      for (const attack of attacks) {
        const answer = await attack.run();
        expect([attack.name, answer.status, isExpected(attack, answer)]).toEqual([
          attack.name,
          attack.expected[0],
          true,
        ]);
      }
    });
  });
}
