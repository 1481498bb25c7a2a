import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, beforeEach, expect, it } from '@jest/globals';
import { type Backend, createSecureStore, generateEncryptionKeys } from '@legate/secure-store';
import { START } from '@legate/service/testing';
import { eventually } from '@legate/testing';
import { sendJson } from './testing/http-server.ts';
import { createLateToken } from './testing/late-token.ts';
import { createScene, type Scene } from './testing/scene.ts';
import { openSharedStore, type SharedStore } from './testing/shared-store.ts';

const CALLERS = 200;

let scene: Scene;
let shared: SharedStore;
let servers: Server[];
let isStoreDown: boolean;
/** Commands of the hubs that their store has completed */
let answered: string[];

beforeEach(async () => {
  isStoreDown = false;
  answered = [];
  const encryptionKeys = generateEncryptionKeys();
  shared = await openSharedStore();
  const storeOf = (process: 0 | 1) => watched(shared.backendOf(process));
  // Long time-outs: servers that respond to hundreds of callers on a busy machine are slow, but do not hang.
  scene = await createScene({
    ...{ backend: () => storeOf(0), encryptionKeys },
    http: { timeoutMs: 30_000 },
  });
  const other = scene.replica({ store: createSecureStore({ backend: storeOf(1), keys: encryptionKeys }) });
  servers = [scene.app, other].map((app) => createServer(app).listen(0, '127.0.0.1'));
  await Promise.all(servers.map((server) => once(server, 'listening')));
});

afterEach(async () => {
  for (const server of servers) server.closeAllConnections();
  await Promise.all(servers.map((server) => new Promise((resolve) => server.close(resolve))));
  await scene.stop();
  await shared.close();
});

function watched(backend: Backend): Backend {
  const noted =
    <Args extends readonly unknown[], Result>(name: string, ask: (...args: Args) => Promise<Result>) =>
    async (...args: Args): Promise<Result> => {
      if (isStoreDown) throw new Error('down');
      const result = await ask(...args);
      answered.push(name);
      return result;
    };
  return {
    get: noted('get', backend.get),
    getMany: noted('getMany', backend.getMany),
    set: noted('set', backend.set),
    add: noted('add', backend.add),
    replace: noted('replace', backend.replace),
    delete: noted('delete', backend.delete),
    ping: backend.ping,
  };
}

async function hasAnswered(command: string, times: number): Promise<void> {
  const count = () => answered.filter((name) => name === command).length;
  await eventually(`${times} × ${command} at the store`, count, { until: (n) => n >= times });
}

function send(server: Server | undefined, method: string, path: string, token: string): Promise<Response> {
  const { port } = (server as Server).address() as AddressInfo;
  const headers = { Authorization: `Bearer ${token}` };
  return fetch(`http://127.0.0.1:${port}/api/v1${path}`, { method, headers });
}

async function callAt(server: Server | undefined, token: string) {
  const answer = await send(server, 'POST', '/connectors/con_tools/tools/whoami/call', token);
  const body = (await answer.json()) as { code?: string };
  return { outcome: body.code ?? answer.status, cache: answer.headers.get('Legate-Token-Cache') };
}

const callEverywhere = async (token: string, times = CALLERS) =>
  (
    await Promise.all(servers.flatMap((server) => Array.from({ length: times }, () => callAt(server, token))))
  ).map(({ outcome }) => outcome);

it('exchange and redeem once for all concurrent callers at two hubs', async () => {
  const answers = await callEverywhere(await scene.idTokenOf('user_alice'));
  expect([answers.length, new Set(answers)]).toEqual([2 * CALLERS, new Set([200])]);
  expect([scene.idp.exchanges.length, scene.toolServer.redemptions.length]).toEqual([1, 1]);
});

it('exchange once for each user and each sign-in', async () => {
  const tokens = await Promise.all([
    scene.idTokenOf('user_alice'),
    scene.idTokenOf('user_alice', { auth_time: START.getTime() / 1000 - 60 }),
    scene.idTokenOf('user_bob'),
  ]);
  const answers = await Promise.all(tokens.map((token) => callEverywhere(token, 20)));
  expect(new Set(answers.flat())).toEqual(new Set([200]));
  expect(scene.idp.exchanges.length).toBeLessThanOrEqual(3);
});

it('return one refusal to all waiting callers, and ask the provider once per hub', async () => {
  let refused = 0;
  scene.idp.misbehaviour = {
    token: async (_req, res) => {
      // Waits until all callers are waiting: a later caller would send a new request.
      await hasAnswered('getMany', 2 * CALLERS);
      refused += 1;
      sendJson(res, 400, { error: 'access_denied' });
    },
  };
  const answers = await callEverywhere(await scene.idTokenOf('user_alice'));
  expect([answers.length, new Set(answers)]).toEqual([2 * CALLERS, new Set(['delegation_denied'])]);
  expect(refused).toBe(2);
  // Each hub released its lease, so nobody waited for its expiry.
  expect(answered.filter((name) => name === 'replace')).toHaveLength(2);
});

it('send the store one request for a cached token, and never request a lease', async () => {
  const alice = await scene.idTokenOf('user_alice');
  expect((await callAt(servers[0], alice)).cache).toBe('miss');
  answered = [];
  expect((await callAt(servers[1], alice)).cache).toBe('hit');
  expect(answered).toEqual(['getMany']);
});

it('work separately without their store', async () => {
  isStoreDown = true;
  const answers = await callEverywhere(await scene.idTokenOf('user_alice'), 20);
  expect(new Set(answers)).toEqual(new Set([200]));
  expect(scene.idp.exchanges.length).toBeGreaterThanOrEqual(2);
});

it('use no token for later calls that was being obtained before a revocation', async () => {
  const alice = await scene.idTokenOf('user_alice');
  await callAt(servers[1], await scene.idTokenOf('user_bob')); // makes this hub discover the tool server
  const late = createLateToken();
  scene.toolServer.misbehaviour = {
    token: late.endpoint,
    mcp: (_req, res) => res.writeHead(500).end(),
  };
  const before = callAt(servers[0], alice);
  await late.asked;
  const waiting = callAt(servers[1], alice); // begins in the same epoch as the first call
  await hasAnswered('add', 3); // the leases of Bob and Alice, and Alice's refusal at the other hub
  expect((await send(servers[1], 'DELETE', '/tokens', alice)).status).toBe(204);
  late.release();
  await Promise.all([before, waiting]);
  expect(scene.toolServer.redemptions.length).toBe(3); // Bob's token; no token of Alice was shared
  scene.toolServer.misbehaviour = {};
  const later = await scene.idTokenOf('user_alice', { jti: 'of-a-later-sign-in' });
  expect(await callAt(servers[1], later)).toEqual({ outcome: 200, cache: 'miss' });
});
