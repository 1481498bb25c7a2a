import { describe, expect, it } from '@jest/globals';
import { exchange, member, scene, text } from '@legate/dev';
import { decodeJwt } from 'jose';
import type { Deployment, User } from './deployment.ts';

/** Tests the delegation from an ID token to a tool that runs as its user: leg by leg, and through the hub. */
export function describeDelegation(deployment: () => Deployment): void {
  const callAs = async (user: User, tool = 'whoami', args = {}) =>
    deployment().legs.callThroughHub(await deployment().idToken(user), tool, args);
  const getAtHub = async (user: User, path: string) =>
    exchange(
      'GET',
      `${deployment().urls['tool-hub']}/api/v1${path}`,
      {},
      { Authorization: `Bearer ${await deployment().idToken(user)}` },
    );

  describe('a delegation', () => {
    it('makes an ID-JAG, an access token and a tool call of the same user', async () => {
      const { urls, legs, idToken } = deployment();
      const toolServer = urls['reference-mcp-server'];
      const idJag = text((await legs.exchangeIdToken(await idToken('alice'))).answer, 'access_token');
      expect(decodeJwt(idJag)).toMatchObject({
        iss: urls['mock-idp'],
        sub: 'user_alice',
        aud: toolServer,
        client_id: 'tool-hub',
        organization_id: 'org_acme',
      });
      const accessToken = text((await legs.redeemAssertion(idJag)).answer, 'access_token');
      expect(decodeJwt(accessToken)).toMatchObject({
        iss: `${toolServer}/oauth/token`,
        sub: 'user_alice',
        aud: toolServer,
      });
      const called = await legs.callTool(accessToken, 'whoami');
      expect(JSON.stringify(member(called.answer, 'result'))).toContain('user_alice');
    });

    it('redeems an ID-JAG once, however many requests present it at the same time', async () => {
      const { legs, idToken } = deployment();
      const idJag = text((await legs.exchangeIdToken(await idToken('alice'))).answer, 'access_token');
      const answers = await Promise.all(Array.from({ length: 8 }, () => legs.redeemAssertion(idJag)));
      expect(answers.map(({ status }) => status).sort()).toEqual([200, ...Array(7).fill(400)]);
    });

    it('needs three legs at first, and none while its token is cached', async () => {
      await deployment().legs.signOutOfHub(await deployment().idToken('alice'));
      await deployment().signInAgain('alice');
      const calls = [await callAs('alice'), await callAs('alice'), await callAs('alice')];
      expect(calls.map(({ status }) => status)).toEqual([200, 200, 200]);
      expect(calls.map(({ answerHeaders }) => answerHeaders.get('legate-token-cache'))).toEqual([
        'miss',
        'hit',
        'hit',
      ]);
    });

    it("never returns another user's result when many call at once", async () => {
      const callers = Array.from({ length: 30 }, (_, i): User => (i % 2 === 0 ? 'alice' : 'bob'));
      const answers = await Promise.all(callers.map((user) => callAs(user)));
      const seen = answers.map(({ status, answer }) => [
        status,
        /user_[a-z]+/.exec(JSON.stringify(answer))?.[0],
      ]);
      expect(seen).toEqual(callers.map((user) => [200, scene.USERS[user].id]));
    });

    it('separates the notes of users, whichever way they are read', async () => {
      const secret = `a secret of Alice, ${Date.now()}`;
      const created = await callAs('alice', 'create_note', { text: secret });
      const note = /note_[0-9a-f-]+/.exec(JSON.stringify(created.answer))?.[0] ?? '';
      for (let i = 0; i < 4; i += 1) {
        expect(JSON.stringify((await callAs('alice', 'list_notes')).answer)).toContain(secret);
        expect(JSON.stringify((await callAs('bob', 'list_notes')).answer)).not.toContain(secret);
      }
      expect(JSON.stringify((await callAs('bob', 'delete_note', { id: note })).answer)).toMatch(
        /no such|not/i,
      );
      await callAs('alice', 'delete_note', { id: note });
      expect(JSON.stringify((await callAs('alice', 'list_notes')).answer)).not.toContain(secret);
    });

    it('is limited to the connectors and tools of the organization', async () => {
      const connectors = await getAtHub('alice', '/connectors');
      expect(JSON.stringify(connectors.answer)).toContain(scene.CONNECTOR);
      const tools = await getAtHub('alice', `/connectors/${scene.CONNECTOR}/tools`);
      expect(JSON.stringify(tools.answer)).toContain('whoami');
      expect((await getAtHub('alice', '/connectors/con_nobodys/tools')).status).toBe(404);
    });

    it('can be explained to the user of a failed call, and to nobody in another organization', async () => {
      const failed = await callAs('alice', 'get_site', { id: 'site_of_nobody' });
      const path = `/calls/${failed.answerHeaders.get('legate-call-id') ?? ''}/explanation`;
      for (let i = 0; i < 4; i += 1)
        expect((await getAtHub('alice', path)).answer).toMatchObject({ outcome: 'tool_error' });
      expect((await getAtHub('carol', path)).status).toBe(404);
    });
  });
}
