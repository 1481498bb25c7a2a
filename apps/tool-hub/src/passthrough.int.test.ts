import { afterEach, expect, it } from '@jest/globals';
import type { MethodSettings, PassthroughSettings } from '@legate/delegation';
import request from 'supertest';
import type { Connector } from './domain/connector.ts';
import { sendJson, startServer } from './testing/http-server.ts';
import { createScene, ID_JAG, type Scene } from './testing/scene.ts';

let scene: Scene;
afterEach(() => scene.stop());

const PASSTHROUGH: PassthroughSettings = { method: 'passthrough', acceptedAudiences: ['frontend-app'] };

const arrange = async (...methods: [MethodSettings, ...MethodSettings[]]) => {
  scene = await createScene({ connector: { methods } });
  return scene.idTokenOf('user_alice');
};
const call = (token: string, app = scene.app) =>
  request(app)
    .post('/api/v1/connectors/con_tools/tools/whoami/call')
    .set('Authorization', `Bearer ${token}`)
    .send({});
const accept = (token: string) => {
  scene.toolServer.recognize = ({ authorization }) =>
    authorization === `Bearer ${token}` ? 'user_alice' : undefined;
};
const seen = () => scene.toolServer.calls.map(({ headers }) => headers.authorization);
const forwarded = () =>
  scene
    .logged()
    .split('\n')
    .filter((line) => line.includes('"action":"delegation.passthrough"'));

it('forwards the caller’s own token, stores it nowhere, and logs each use', async () => {
  const token = await arrange(PASSTHROUGH);
  accept(token);
  for (const count of [1, 2]) {
    const res = await call(token);
    expect([res.status, res.body.content]).toEqual([200, [{ type: 'text', text: 'user_alice' }]]);
    expect([res.get('Legate-Token-Cache'), res.get('Legate-Acts-As')]).toEqual(['miss', 'user']);
    expect(forwarded()).toHaveLength(count);
  }
  expect([scene.entries.size, scene.idp.exchanges, scene.toolServer.metadataReads]).toEqual([0, [], []]);
  expect(forwarded()[0]).toContain('"user_id":"user_alice"');
  expect(scene.logged()).not.toContain(token.split('.')[2]);
  expect(await scene.metrics()).toContain(
    'delegations_total{method="passthrough",outcome="granted",service="tool-hub"} 2',
  );
});

it('needs no configured audience if the token is for the tool server', async () => {
  await arrange({ ...PASSTHROUGH, acceptedAudiences: [] });
  const { resource } = scene.toolServer;
  const token = await scene.idTokenOf('user_alice', { aud: ['frontend-app', resource] });
  accept(token);
  const app = scene.replica({ acceptedAudiences: ['frontend-app', resource] });
  expect((await call(token, app)).status).toBe(200);
});

it.each([
  ['nothing', []],
  ['another audience', ['another-app']],
  ['a part of it', ['frontend']],
])('sends no token to a server configured to accept %s', async (_case, acceptedAudiences) => {
  const token = await arrange({ ...PASSTHROUGH, acceptedAudiences });
  const res = await call(token);
  expect([res.status, res.body.code]).toEqual([403, 'delegation_denied']);
  expect(res.body.detail).toContain("The audience of the user's token");
  expect([seen(), forwarded()]).toEqual([[], []]);
});

it('makes a single call if the server rejects the token', async () => {
  const token = await arrange(PASSTHROUGH);
  const res = await call(token);
  expect([res.status, res.body.code]).toEqual([502, 'connector_misconfigured']);
  expect(res.body.detail).toContain("does not accept the users' own ID tokens");
  expect(seen()).toHaveLength(1);
});

it('requests no other token if a tool requires scopes', async () => {
  const token = await arrange(PASSTHROUGH);
  accept(token);
  scene.toolServer.requiredScopes.set('whoami', ['admin']);
  const res = await call(token);
  expect([res.status, res.body.code]).toEqual([403, 'delegation_denied']);
  const calls = scene.toolServer.calls.filter(({ message }) => message.method === 'tools/call');
  expect([calls.length, scene.idp.exchanges]).toEqual([1, []]);
});

it('does not send the token along with a redirect', async () => {
  const token = await arrange(PASSTHROUGH);
  let strangers = 0;
  const elsewhere = await startServer((_req, res) => {
    strangers += 1;
    sendJson(res, 200, {});
  });
  scene.toolServer.misbehaviour = {
    mcp: (_req, res) => res.writeHead(307, { Location: `${elsewhere.url}/mcp` }).end(),
  };
  expect((await call(token)).status).toBe(502);
  expect(strangers).toBe(0);
  await elsewhere.stop();
});

it('sends the token only to the origin of the resource', async () => {
  const connector: Partial<Connector> = { methods: [PASSTHROUGH], resource: 'https://tools.example' };
  scene = await createScene({ connector });
  const res = await call(await scene.idTokenOf('user_alice'));
  expect([res.status, res.body.code]).toEqual([502, 'connector_misconfigured']);
  expect(seen()).toEqual([]);
});

it('replaces ID-JAGs if they are not supported and an administrator listed passthrough as the fallback', async () => {
  const token = await arrange(ID_JAG, PASSTHROUGH);
  scene.toolServer.misbehaviour = { resourceMetadata: 404 };
  accept(token);
  expect((await call(token)).status).toBe(200);
  expect(forwarded()).toHaveLength(1);
});

it('does not replace ID-JAGs if no administrator listed passthrough as the fallback', async () => {
  scene = await createScene();
  const token = await scene.idTokenOf('user_alice');
  scene.toolServer.misbehaviour = { resourceMetadata: 404 };
  accept(token);
  const res = await call(token);
  expect([res.status, res.body.code, seen()]).toEqual([502, 'connector_misconfigured', []]);
});

it('does not replace a denial of the identity provider', async () => {
  const token = await arrange(ID_JAG, PASSTHROUGH);
  scene.idp.misbehaviour = { token: (_req, res) => sendJson(res, 400, { error: 'access_denied' }) };
  accept(token);
  const res = await call(token);
  expect([res.status, res.body.code, seen()]).toEqual([403, 'delegation_denied', []]);
});
