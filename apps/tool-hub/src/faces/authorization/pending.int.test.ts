import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import request from 'supertest';
import {
  type AuthorizationScene,
  createAuthorizationScene,
  newBrowser,
} from '../../testing/authorization-scene.ts';

let scene: AuthorizationScene;
beforeEach(async () => {
  scene = await createAuthorizationScene();
});
afterEach(() => scene.stop());

/**
 * Begins an authorization as a page could do in the browser of a user who has allowed the client before; no question is
 * asked.
 */
const codeWithoutQuestion = async (): Promise<string> => {
  const answer = await scene.begin(newBrowser());
  return new URL(answer.headers.location ?? '').searchParams.get('code') ?? '';
};
const clients = async () => {
  const idToken = await scene.idTokenOf('user_alice');
  const answer = await request(scene.app).get('/api/v1/clients').auth(idToken, { type: 'bearer' });
  return answer.body.data;
};
const actions = async () => (await scene.audited()).map(({ action }) => action);

describe('an authorization whose code nobody redeems', () => {
  it('displaces no session of the user, however many there are, and counts as none', async () => {
    const first = await scene.tokens();
    for (let i = 0; i < 25; i += 1) expect(await codeWithoutQuestion()).not.toBe('');
    expect((await scene.listTools(first.access_token)).status).toBe(200);
    expect((await scene.refresh(first.refresh_token)).status).toBe(200);
    expect(await clients()).toEqual([expect.objectContaining({ client_id: 'agent', sessions: 1 })]);
    expect((await actions()).filter((action) => action === 'session.opened')).toHaveLength(1);
  });

  it('has no session left for a code that is redeemed too late', async () => {
    await scene.authorize(newBrowser());
    const code = await codeWithoutQuestion();
    scene.clock.advanceSeconds(61);
    expect((await scene.redeem(code)).body.error).toBe('invalid_grant');
  });
});

describe('a session whose code is redeemed', () => {
  it('counts from then on, and displaces the oldest redeemed one', async () => {
    const oldest = await scene.tokens();
    const codes = [];
    for (let i = 0; i < 20; i += 1) {
      scene.clock.advanceSeconds(1);
      codes.push(await codeWithoutQuestion());
    }
    for (const code of codes.slice(1)) expect((await scene.redeem(code)).status).toBe(200);
    expect((await scene.listTools(oldest.access_token)).status).toBe(200);
    expect((await scene.redeem(codes[0] ?? '')).status).toBe(200);
    expect((await scene.listTools(oldest.access_token)).status).toBe(401);
    expect((await scene.refresh(oldest.refresh_token)).body.error).toBe('invalid_grant');
  });

  it('remains after the code would have expired', async () => {
    const tokens = await scene.tokens();
    scene.clock.advanceSeconds(600);
    expect((await scene.listTools(tokens.access_token)).status).toBe(200);
    scene.clock.advanceSeconds(3 * 86_400);
    expect((await scene.refresh(tokens.refresh_token)).status).toBe(200);
  });

  it('is refused if the user has signed out meanwhile', async () => {
    const answer = await scene.authorize(newBrowser());
    scene.clock.advanceSeconds(10);
    const idToken = await scene.idTokenOf('user_alice');
    const out = request(scene.app).delete('/api/v1/tokens').auth(idToken, { type: 'bearer' });
    expect((await out).status).toBe(204);
    const redeemed = await scene.redeem(answer.searchParams.get('code') ?? '');
    expect([redeemed.status, redeemed.body.error]).toEqual([400, 'invalid_grant']);
    expect(await actions()).not.toContain('session.opened');
  });

  it('is refused if the user has removed the client meanwhile, and the next one works', async () => {
    const answer = await scene.authorize(newBrowser());
    const idToken = await scene.idTokenOf('user_alice');
    const removed = request(scene.app).delete('/api/v1/clients/agent').auth(idToken, { type: 'bearer' });
    expect((await removed).status).toBe(204);
    const redeemed = await scene.redeem(answer.searchParams.get('code') ?? '');
    expect([redeemed.status, redeemed.body.error]).toEqual([400, 'invalid_grant']);
    scene.clock.advanceSeconds(1);
    expect((await scene.listTools((await scene.tokens()).access_token)).status).toBe(200);
  });
});
