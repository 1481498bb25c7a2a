import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import request from 'supertest';
import {
  type AuthorizationScene,
  createAuthorizationScene,
  newBrowser,
} from '../../testing/authorization-scene.ts';

/** Tests of what users see of the MCP clients that act as them, and how they remove one */

let scene: AuthorizationScene;
let alice: string;
beforeEach(async () => {
  scene = await createAuthorizationScene();
  alice = await scene.idTokenOf('user_alice');
});
afterEach(() => scene.stop());

const list = (token = alice, query = '') =>
  request(scene.app).get(`/api/v1/clients${query}`).set('Authorization', `Bearer ${token}`);
const remove = (clientId: string, token = alice) =>
  request(scene.app)
    .delete(`/api/v1/clients/${encodeURIComponent(clientId)}`)
    .set('Authorization', `Bearer ${token}`);
const statusOf = async (token: string) => (await scene.listTools(token)).status;
const idsOf = (answer: request.Response) =>
  answer.body.data.map(({ client_id }: { client_id: string }) => client_id);

describe('a user', () => {
  it('sees each client once, with its sessions, and no client of other users', async () => {
    await scene.tokens(newBrowser('user_bob'), { client_id: 'two' });
    await scene.tokens();
    scene.clock.advanceSeconds(1);
    await scene.tokens(newBrowser(), { client_id: 'other' });
    await scene.tokens(newBrowser(), { client_id: 'other' });
    const answer = await list();
    expect([answer.status, answer.get('Cache-Control')]).toEqual([200, 'no-store']);
    expect(idsOf(answer)).toEqual(['other', 'agent']);
    expect(answer.body.data[0]).toEqual({
      client_id: 'other',
      name: 'An agent',
      agent_id: null,
      resources: ['http://hub.test/mcp'],
      sessions: 2,
      allowed_at: scene.clock().toISOString(),
      expires_at: new Date(scene.clock().getTime() + 30 * 86_400_000)
        .toISOString()
        .replace(/\d{3}Z$/, '000Z'),
    });
    expect(idsOf(await list(alice, '?limit=1&offset=1'))).toEqual(['agent']);
    expect(idsOf(await list(await scene.idTokenOf('user_bob')))).toEqual(['two']);
  });

  it('sees no client of another organization, and none whose session has ended', async () => {
    const { refresh_token } = await scene.tokens();
    const elsewhere = await scene.idTokenOf('user_alice', { organization_id: 'org_globex' });
    expect(idsOf(await list(elsewhere))).toEqual([]);
    await scene.revoke(refresh_token);
    expect(idsOf(await list())).toEqual([]);
  });

  it('removes a client: all its tokens end, and the user is asked again next time', async () => {
    const browser = newBrowser();
    const [one, two] = [await scene.tokens(browser), await scene.tokens(browser)];
    const other = await scene.tokens(newBrowser(), { client_id: 'other' });
    const bob = await scene.tokens(newBrowser('user_bob'));
    expect((await scene.begin(browser)).headers.location).toContain('code='); // the consent is remembered
    expect((await remove('agent')).status).toBe(204);
    expect(await Promise.all([one, two, other, bob].map((t) => statusOf(t.access_token)))).toEqual([
      401, 401, 200, 200,
    ]);
    expect((await scene.refresh(one.refresh_token)).body.error).toBe('invalid_grant');
    expect((await scene.begin(browser)).text).toContain('use your tools?');
    const ended = (await scene.audited()).filter(({ action }) => (action as string) === 'session.ended');
    expect(ended.map(({ details }) => Reflect.get(details, 'reason'))).toEqual(
      Array(ended.length).fill('client_removed'),
    );
  });

  it('cannot remove what they have not allowed', async () => {
    await scene.tokens(newBrowser('user_bob'));
    const answer = await remove('agent');
    expect([answer.status, answer.body.code]).toEqual([404, 'client_not_found']);
  });

  it('cannot list or remove clients with a token of such a client', async () => {
    const { access_token } = await scene.tokens();
    expect([(await list(access_token)).status, (await remove('agent', access_token)).status]).toEqual([
      401, 401,
    ]);
  });
});
