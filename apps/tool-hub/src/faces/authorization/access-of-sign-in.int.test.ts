import { afterEach, beforeEach, expect, it } from '@jest/globals';
import {
  type AuthorizationScene,
  createAuthorizationScene,
  newBrowser,
} from '../../testing/authorization-scene.ts';
import { sendJson } from '../../testing/http-server.ts';

const SUBJECT_SCOPE = 'api://tool-hub/access_as_user';

let scene: AuthorizationScene;
beforeEach(async () => {
  scene = await createAuthorizationScene(
    {},
    { subjectTokenType: 'access_token', subjectScope: SUBJECT_SCOPE },
  );
  scene.idp.misbehaviour.exchanges = 'access_token';
});
afterEach(() => scene.stop());

/** @returns the scope that the hub requests of the identity provider */
async function requestedScope(): Promise<string | null> {
  const browser = newBrowser();
  let url = scene.authorizationUrl();
  while (!url.startsWith(scene.idp.issuer)) url = (await scene.visit(browser, url)).headers.location ?? '';
  return new URL(url).searchParams.get('scope');
}

it('requests the scope of the token to exchange, whatever the identity provider lists', async () => {
  scene.idp.misbehaviour.metadata = { scopes_supported: ['openid', 'offline_access', 'address'] };
  expect(await requestedScope()).toBe(`openid offline_access ${SUBJECT_SCOPE}`);
});

it('exchanges the access token of the sign-in at the hub, without a further request', async () => {
  const { access_token } = await scene.tokens();
  expect((await scene.listTools(access_token)).status).toBe(200);
  expect(scene.idp.exchanges.map((form) => form.get('subject_token')?.split('-')[0])).toEqual(['access']);
  expect(scene.idp.refreshes).toEqual([]);
});

it('makes the client authorize again, with one sign-in, if there is no access token any more', async () => {
  const tokens = await scene.tokens();
  scene.idp.misbehaviour.refreshed = (_req, res) => sendJson(res, 400, { error: 'unauthorized_client' });
  scene.clock.advanceSeconds(290);
  expect((await scene.listTools(tokens.access_token)).status).toBe(401);
  const refreshed = await scene.refresh(tokens.refresh_token);
  expect([refreshed.status, refreshed.body.error]).toEqual([400, 'invalid_grant']);

  const again = await scene.tokens();
  const codes = scene.idp.forms.filter((form) => form.get('grant_type') === 'authorization_code');
  expect(codes).toHaveLength(2);
  expect((await scene.listTools(again.access_token)).status).toBe(200);
  expect((await scene.refresh(again.refresh_token)).status).toBe(200);
});

it('asks for the same scope when it renews, and exchanges the access token of the renewal', async () => {
  const { access_token } = await scene.tokens();
  await scene.listTools(access_token);
  scene.toolServer.revokeAll();
  scene.clock.advanceSeconds(250);
  expect((await scene.listTools(access_token)).status).toBe(200);
  expect(scene.idp.refreshes.map((form) => form.get('scope'))).toEqual([`openid ${SUBJECT_SCOPE}`]);
  const [first, second] = scene.idp.exchanges.map((form) => form.get('subject_token'));
  expect([scene.idp.exchanges.length, first === second]).toEqual([2, false]);
});
