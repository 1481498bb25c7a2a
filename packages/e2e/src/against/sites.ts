import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { member, scene, text } from '@legate/dev';
import { eventually } from '@legate/testing';
import { callApi, type Deployment, type User } from './deployment.ts';

/** Tests calls of the management API by users, and by tools that act for them with transaction tokens. */
export function describeSites(deployment: () => Deployment): void {
  describe('sites', () => {
    const sites = new Map<User, string>();
    const siteOf = (user: User) => sites.get(user) ?? '';
    const callTool = async (user: User, name: string, args = {}) =>
      (await deployment().agentOf(user)).callTool({ name: scene.toolAtMcp(name), arguments: args });

    beforeAll(async () => {
      for (const user of ['alice', 'carol'] as const) {
        const name = `e2e of ${user}, ${Date.now()}`;
        const created = await callApi(deployment(), user, 'POST', '/sites', { name });
        expect(created.status).toBe(201);
        sites.set(user, text(created.answer, 'id'));
      }
    });
    afterAll(async () => {
      for (const [user, id] of sites) await callApi(deployment(), user, 'DELETE', `/sites/${id}`);
    });

    it('are returned to users with the permission, at every replica', async () => {
      for (let i = 0; i < 4; i += 1) {
        const read = await callApi(deployment(), 'bob', 'GET', `/sites/${siteOf('alice')}`);
        expect([read.status, member(read.answer, 'id')]).toEqual([200, siteOf('alice')]);
      }
      const page = await callApi(deployment(), 'alice', 'GET', '/sites?limit=1&offset=0');
      expect(page.answer).toMatchObject({ data: [expect.anything()], pagination: { limit: 1, offset: 0 } });
      expect((await callApi(deployment(), 'alice', 'GET', '/sites?limit=101')).status).toBe(400);
    });

    it('of another organization are not found', async () => {
      expect((await callApi(deployment(), 'carol', 'GET', `/sites/${siteOf('alice')}`)).status).toBe(404);
      expect((await callApi(deployment(), 'alice', 'DELETE', `/sites/${siteOf('carol')}`)).status).toBe(404);
    });

    it('are listed by an agent through a transaction token, only those of its organization', async () => {
      const ofAlice = await callTool('alice', 'list_sites', { limit: 100 });
      expect(ofAlice.isError ?? false).toBe(false);
      expect(JSON.stringify(ofAlice.structuredContent)).not.toContain(siteOf('carol'));
      const ofCarol = JSON.stringify(
        (await callTool('carol', 'list_sites', { limit: 100 })).structuredContent,
      );
      expect([ofCarol.includes(siteOf('carol')), ofCarol.includes(siteOf('alice'))]).toEqual([true, false]);
      const one = await callTool('alice', 'get_site', { id: siteOf('alice') });
      expect(one.structuredContent).toMatchObject({ id: siteOf('alice') });
      expect((await callTool('carol', 'get_site', { id: siteOf('alice') })).isError).toBe(true);
    });

    it('accept a transaction token once, for one operation, and only from its workload', async () => {
      const { legs, idToken } = deployment();
      const idJag = text((await legs.exchangeIdToken(await idToken('alice'))).answer, 'access_token');
      const accessToken = text((await legs.redeemAssertion(idJag)).answer, 'access_token');
      const asked = await legs.requestTransactionToken(accessToken, 'sites:list', {});
      const txnToken = text(asked.answer, 'access_token');
      const workload = text(
        (await legs.requestWorkloadToken(scene.IDP_CLIENTS.toolServer, 'internal:transactions')).answer,
        'access_token',
      );
      const outcome = async (path: string, bearer: string | undefined) => {
        const { status, answer } = await legs.callApiFor(txnToken, path, bearer);
        return [status, member(answer, 'code')];
      };
      expect(await outcome('/sites', undefined)).toEqual([401, 'token_missing']);
      expect(await outcome('/members', workload)).toEqual([403, 'transaction_mismatch']);
      expect(await outcome('/sites', workload)).toEqual([200, undefined]);
      for (let i = 0; i < 3; i += 1)
        expect(await outcome('/sites', workload)).toEqual([403, 'transaction_used']);
    });

    it('are created once if the creation is retried', async () => {
      const { urls, atApi } = deployment();
      const headers = {
        ...(await atApi('alice')),
        'Content-Type': 'application/json',
        'Idempotency-Key': `e2e-${Date.now()}`,
      };
      const body = JSON.stringify({ name: `e2e, once, ${Date.now()}` });
      const create = async () => {
        const answer = await fetch(`${urls['management-api']}/api/v1/sites`, {
          method: 'POST',
          headers,
          body,
        });
        return { status: answer.status, id: member(await answer.json(), 'id') };
      };
      const first = await create();
      expect(first.status).toBe(201);
      expect(await create()).toEqual(first);
      await callApi(deployment(), 'alice', 'DELETE', `/sites/${String(first.id)}`);
    });

    it('and the calls for their organization appear in its audit trail', async () => {
      const { legs, idToken } = deployment();
      const call = await legs.callThroughHub(await idToken('alice'), 'whoami');
      const id = call.answerHeaders.get('legate-call-id');
      const listEvents = async () => {
        const query = 'action=tool.called&actor_id=user_alice&sort=-occurred_at&limit=100';
        const { answer } = await callApi(deployment(), 'alice', 'GET', `/audit-events?${query}`);
        return member(answer, 'data');
      };
      // The hub delivers events in batches.
      await eventually(`event ${id}`, listEvents, {
        pauseMs: 500,
        until: (events) => Array.isArray(events) && events.some((event) => member(event, 'id') === id),
      });
    });
  });
}
