import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import request from 'supertest';
import {
  type AuthorizationScene,
  createAuthorizationScene,
  HUB,
  newBrowser,
  type Tokens,
} from '../../testing/authorization-scene.ts';
import { sendJson } from '../../testing/http-server.ts';

let scene: AuthorizationScene;
beforeEach(async () => {
  scene = await createAuthorizationScene();
});
afterEach(() => scene.stop());

/** Makes the identity provider demand a stronger sign-in; without an argument, it accepts the present one again. */
function want(demand?: { max_age?: number; acr_values?: string }): void {
  const refusal = { error: 'insufficient_user_authentication', ...demand };
  if (demand) scene.idp.misbehaviour.token = (_req, res) => sendJson(res, 400, refusal);
  else delete scene.idp.misbehaviour.token;
}

const call = ({ access_token }: Tokens) =>
  request(scene.app)
    .post('/mcp/con_tools')
    .set({ Host: new URL(HUB).host, Authorization: `Bearer ${access_token}` })
    .set({ Accept: 'application/json, text/event-stream', 'MCP-Protocol-Version': '2025-06-18' })
    .send({ jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'whoami', arguments: {} } });

/** Returns the parameters of each redirect to the identity provider during an authorization, in order. */
async function askedOf(user = 'user_alice', changes: Record<string, string> = {}) {
  const browser = newBrowser(user);
  const asked: (string | null)[][] = [];
  let answer = await scene.visit(browser, scene.authorizationUrl(changes));
  for (let step = 0; step < 12 && answer.headers.location; step += 1) {
    const location: string = answer.headers.location;
    const isProvider = location.startsWith(scene.idp.issuer);
    if (!isProvider && !location.startsWith('/') && !location.startsWith(HUB)) break;
    const { searchParams } = new URL(location, HUB);
    if (isProvider) asked.push([searchParams.get('max_age'), searchParams.get('acr_values')]);
    answer = await scene.visit(browser, isProvider ? scene.signIn(browser, location) : location);
  }
  return { asked, answer };
}

describe('a demand for a stronger sign-in', () => {
  it('makes the client authorize again, with the parameters that the identity provider demands', async () => {
    const tokens = await scene.tokens();
    want({ max_age: 300, acr_values: 'urn:mfa' });
    const refused = await call(tokens);
    expect(refused.status).toBe(401);
    expect(refused.headers['www-authenticate']).toContain('max_age="300"');

    const refreshed = await scene.refresh(tokens.refresh_token);
    expect([refreshed.status, refreshed.body.error]).toEqual([400, 'invalid_grant']);

    want();
    const again = await askedOf();
    expect(again.asked).toEqual([
      [null, null],
      ['300', 'urn:mfa'],
    ]);
    const code = new URL(again.answer.headers.location ?? '').searchParams.get('code') ?? '';
    const { body } = await scene.redeem(code);
    expect((await call(body)).status).toBe(200);
    expect((await scene.refresh(body.refresh_token)).status).toBe(200);
    expect((await askedOf()).asked).toEqual([[null, null]]);
  });

  it('applies only to the user and the client that were refused', async () => {
    const tokens = await scene.tokens();
    const others = [
      await scene.tokens(newBrowser('user_bob')),
      await scene.tokens(newBrowser(), { client_id: 'other' }),
    ] as const;
    want({ max_age: 300 });
    await call(tokens);
    expect((await scene.refresh(others[0].refresh_token)).status).toBe(200);
    expect((await scene.refresh(others[1].refresh_token, { client_id: 'other' })).status).toBe(200);
    expect((await askedOf('user_bob')).asked).toEqual([[null, null]]);
    expect((await askedOf('user_alice', { client_id: 'other' })).asked).toEqual([[null, null]]);
    expect((await askedOf()).asked).toEqual([
      [null, null],
      ['300', null],
    ]);
  });

  it('lasts until the user has allowed the client, for at most a quarter of an hour', async () => {
    // The user is asked about such a client each time.
    const native = { client_id: 'native', redirect_uri: 'http://127.0.0.1/callback' };
    const askedNow = async () => (await askedOf('user_alice', native)).asked;
    const tokens = await scene.tokens(newBrowser(), native);
    want({ acr_values: 'urn:mfa' });
    await call(tokens);
    for (let visit = 0; visit < 2; visit += 1) expect(await askedNow()).toHaveLength(2);
    scene.clock.advanceSeconds(901);
    expect(await askedNow()).toHaveLength(1);
    const refreshed = await scene.refresh(tokens.refresh_token, { client_id: 'native' });
    expect(refreshed.status).toBe(200);
  });

  it('is not recorded after other denials', async () => {
    const tokens = await scene.tokens();
    scene.idp.misbehaviour.token = (_req, res) => sendJson(res, 400, { error: 'access_denied' });
    await call(tokens);
    expect((await scene.refresh(tokens.refresh_token)).status).toBe(200);
    expect((await askedOf()).asked).toEqual([[null, null]]);
  });
});
