import { afterEach, beforeEach, expect, it } from '@jest/globals';
import { ConnectorId } from '@legate/ids';
import request from 'supertest';
import { createConnectorRegistry } from '../../domain/registry.ts';
import { type ConnectScene, createConnectScene } from '../../testing/connect-scene.ts';
import { ID_JAG } from '../../testing/scene.ts';

let scene: ConnectScene;
let alice: string;
beforeEach(async () => {
  scene = await createConnectScene();
  alice = await scene.idTokenOf('user_alice');
});
afterEach(() => scene.stop());

const list = (token = alice, query = '', app = scene.app) =>
  request(app).get(`/api/v1/connections${query}`).set('Authorization', `Bearer ${token}`);
const about = () => ({
  connector_id: 'con_notes',
  name: 'Notes',
  resource: scene.external.resource,
});

it('lists where accounts can be connected, and until when one is', async () => {
  const before = await list();
  expect([before.status, before.get('Cache-Control')]).toEqual([200, 'no-store']);
  expect(before.body.data).toEqual([{ ...about(), connected: false, scopes: [], expires_at: null }]);
  await scene.connect(alice, 'user_alice');
  expect((await list()).body.data).toEqual([
    { ...about(), connected: true, scopes: ['notes:read'], expires_at: expect.stringMatching(/Z$/) },
  ]);
});

it('returns the same connection as the path of one connector', async () => {
  await scene.connect(alice, 'user_alice');
  const { body: one } = await scene.api('get', alice);
  expect((await list()).body.data).toEqual([{ ...about(), ...one }]);
});

it('shows no account of somebody else, and none in another organization', async () => {
  await scene.connect(alice, 'user_alice');
  expect((await list(await scene.idTokenOf('user_bob'))).body.data).toMatchObject([{ connected: false }]);
  const elsewhere = await scene.idTokenOf('user_alice', { organization_id: 'org_globex' });
  expect((await list(elsewhere)).body.data).toEqual([]);
});

it('shows no token of the account', async () => {
  await scene.connect(alice, 'user_alice');
  const { text } = await list();
  for (const token of scene.external.issued) expect(text).not.toContain(token);
});

it('leaves out connectors that need no account, and pages the others', async () => {
  const { externalConnector: notes } = scene;
  const named = (id: string, change: object = {}) => ({ ...notes, id: ConnectorId.parse(id), ...change });
  const app = scene.replica({
    registry: createConnectorRegistry([
      named('con_one'),
      named('con_jag', { methods: [ID_JAG] }),
      named('con_two'),
      named('con_three'),
    ]),
  });
  const idsOf = async (query: string) => {
    const { body } = await list(alice, query, app);
    return [body.pagination.total, body.data.map((row: { connector_id: string }) => row.connector_id)];
  };
  expect(await idsOf('')).toEqual([3, ['con_one', 'con_two', 'con_three']]);
  expect(await idsOf('?limit=1&offset=1')).toEqual([3, ['con_two']]);
});
