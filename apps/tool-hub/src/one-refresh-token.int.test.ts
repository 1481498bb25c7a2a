import { afterEach, beforeEach, expect, it } from '@jest/globals';
import { ConnectorId } from '@legate/ids';
import { generateEncryptionKeys } from '@legate/secure-store';
import type { Express } from 'express';
import request from 'supertest';
import { createConnectorRegistry } from './domain/registry.ts';
import { createScene, type Scene } from './testing/scene.ts';
import { openSharedStore, type SharedStore } from './testing/shared-store.ts';

/** Connectors that a user calls at the same time: each needs an ID-JAG of its own */
const CONNECTORS = Array.from({ length: 20 }, (_, index) => `con_tools_${index}`);

let scene: Scene;
let shared: SharedStore;
let replicas: Express[];
let session: string;

beforeEach(async () => {
  shared = await openSharedStore();
  scene = await createScene({
    ...{ backend: () => shared.backendOf(0), encryptionKeys: generateEncryptionKeys() },
    app: { subjectTokenType: 'refresh_token' },
    http: { timeoutMs: 60_000 }, // a request that hangs must not end first on a busy machine
  });
  scene.idp.misbehaviour = { exchanges: 'refresh_token' };
  const { connector } = scene;
  const registry = createConnectorRegistry(
    CONNECTORS.map((id) => ({ ...connector, id: ConnectorId.parse(id) })),
  );
  replicas = [scene.replica({ registry }), scene.replica({ registry })];
  const options = { clientId: 'tool-hub', idTokenSeconds: 3600 };
  const { idToken, refreshToken } = await scene.idp.signIn({ sub: 'user_alice', aud: 'tool-hub' }, options);
  const opened = await request(scene.app)
    .post('/api/v1/sessions')
    .set('Authorization', `Bearer ${idToken}`)
    .send({ refresh_token: refreshToken });
  session = opened.body.session;
});

afterEach(async () => {
  await scene.stop();
  await shared.close();
});

async function call(replica: number, connector = 'con_tools_0'): Promise<unknown> {
  const answer = await request(replicas[replica] as Express)
    .post(`/api/v1/connectors/${connector}/tools/whoami/call`)
    .set('Authorization', `Bearer ${session}`)
    .send({});
  return answer.body.code ?? answer.status;
}

const callAll = () => Promise.all(CONNECTORS.map((connector, index) => call(index % 2, connector)));

/** Each refresh token that was presented, in this order, for an exchange or for a renewal */
const presented = () => scene.idp.forms.map((form) => form.get('refresh_token') ?? form.get('subject_token'));

it('has one lineage under calls to twenty connectors at two replicas', async () => {
  expect(new Set(await callAll())).toEqual(new Set([200]));
  expect([scene.idp.exchanges.length, scene.idp.reused]).toEqual([CONNECTORS.length, []]);
  // The first one is the renewal that shows whose token it is.
  expect([scene.idp.refreshes.length, new Set(presented()).size]).toEqual([1, CONNECTORS.length + 1]);
});

it('has one lineage while the ID token is renewed too', async () => {
  scene.clock.advanceSeconds(3590);
  expect(new Set(await callAll())).toEqual(new Set([200]));
  expect([scene.idp.refreshes.length, scene.idp.reused]).toEqual([1, []]);
  expect(new Set(presented()).size).toBe(CONNECTORS.length + 1);
});

it('has one lineage if the ID token has expired', async () => {
  scene.clock.advanceSeconds(3601);
  expect(new Set(await callAll())).toEqual(new Set([200]));
  expect([scene.idp.refreshes.length, scene.idp.reused]).toEqual([1, []]);
});

it('ends the session cleanly if a replica hangs between sending the token and keeping the next one', async () => {
  let noteSent = (): void => undefined;
  let wakeUp = (): void => undefined;
  const isSent = new Promise<void>((resolve) => (noteSent = resolve));
  const isAwake = new Promise<void>((resolve) => (wakeUp = resolve));
  const exchanges = 'refresh_token';
  scene.idp.misbehaviour = {
    exchanges,
    async exchanged(req) {
      noteSent();
      await isAwake;
      req.socket.destroy();
    },
  };
  const hanging = call(0);
  await isSent;
  scene.idp.misbehaviour = { exchanges };
  scene.clock.advanceSeconds(15);
  expect([await call(1), await call(1)]).toEqual(['sign_in_required', 'session_ended']);
  wakeUp();
  expect(await hanging).toBe('sign_in_required');
  expect([scene.idp.exchanges.length, scene.idp.reused]).toEqual([1, []]);
});
