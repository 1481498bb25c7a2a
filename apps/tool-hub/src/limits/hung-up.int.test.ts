import { once } from 'node:events';
import type { Server } from 'node:http';
import { connect, type Socket } from 'node:net';
import { promisify } from 'node:util';
import { afterEach, beforeEach, expect, it } from '@jest/globals';
import { createIssuerKeySet } from '@legate/oauth';
import { createHttpClient, createHttpServer } from '@legate/service';
import { eventually } from '@legate/testing';
import type { Express } from 'express';
import { createBarrier } from '../testing/barrier.ts';
import { createLateToken } from '../testing/late-token.ts';
import { createScene, FAIR_USE, type Scene } from '../testing/scene.ts';

/** Limits a user to one call at a time, so that a slot that is not released blocks the user. */
const LIMITS = { ...FAIR_USE, slots: { ...FAIR_USE.slots, user: 1 } };
const CALL = '/api/v1/connectors/con_tools/tools/whoami/call';

let scene: Scene;
let token: string;
let server: Server;
let port: number;
const sockets: Socket[] = [];

beforeEach(async () => {
  scene = await createScene({ app: { fairUse: LIMITS } });
  token = await scene.idTokenOf('user_alice');
});
afterEach(async () => {
  for (const socket of sockets.splice(0)) socket.destroy();
  server.close();
  server.closeAllConnections();
  await scene.stop();
});

async function serve(app: Express): Promise<void> {
  server = createHttpServer(app).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  port = typeof address === 'object' && address ? address.port : 0;
}

/** Sends the text on a connection of its own. */
async function send(text: string): Promise<Socket> {
  const socket = connect(port, '127.0.0.1');
  sockets.push(socket);
  await once(socket, 'connect');
  socket.write(text);
  return socket;
}

const head = (method: string, path: string, headers: readonly string[] = []): string =>
  [`${method} ${path} HTTP/1.1`, 'Host: hub.test', `Authorization: Bearer ${token}`, ...headers, '\r\n'].join(
    '\r\n',
  );

async function call(): Promise<number> {
  const { status } = await fetch(`http://127.0.0.1:${port}${CALL}`, {
    method: 'POST',
    headers: { Authorization: `Bearer ${token}`, 'Content-Type': 'application/json', Connection: 'close' },
    body: '{}',
  });
  return status;
}
const becomes = (status: number): Promise<number> =>
  eventually(`a call that ends with ${status}`, call, { until: (last) => last === status });

async function hangUp(socket: Socket): Promise<void> {
  socket.destroy();
  const connections = promisify(server.getConnections.bind(server));
  await eventually('the end of all connections', async () => (await connections()) === 0);
}

it.each([
  ['an operation', '/api/v1/sessions'],
  ['a tool call', CALL],
  ['an unknown path', '/api/v1/nothing'],
])('releases the slot when the caller of %s disconnects while sending the body', async (_what, path) => {
  await serve(scene.app);
  const cut = `${head('POST', path, ['Content-Type: application/json', 'Content-Length: 100'])}{`;
  const caller = await send(cut);
  await becomes(429);
  caller.destroy();
  expect(await becomes(200)).toBe(200);
});

it.each([
  ['an operation', 'GET', '/api/v1/connectors'],
  ['a tool call', 'POST', CALL],
  ['an unknown path', 'GET', '/api/v1/nothing'],
])(
  'releases the slot when the caller of %s disconnects during authentication',
  async (_what, method, path) => {
    const { issuer } = scene.idp;
    const [asked, keys] = [createBarrier(), createBarrier()];
    const { getJson } = createHttpClient({ allow: ['loopback'] });
    const late = async (url: string) => {
      asked.release();
      await keys.passed;
      return getJson(url);
    };
    await serve(
      scene.replica({
        issuer: { issuer, keys: createIssuerKeySet({ issuer, getJson: late, clock: scene.clock }) },
        fairUse: LIMITS,
      }),
    );
    const caller = await send(head(method, path));
    await asked.passed;
    await hangUp(caller);
    keys.release();
    expect(await call()).toBe(200);
    expect(await call()).toBe(200);
    expect(scene.toolServer.calls.filter(({ message }) => message.method === 'tools/call')).toHaveLength(2);
  },
);

it('keeps the slot of a tool call whose caller has disconnected until the call has ended', async () => {
  await serve(scene.app);
  const late = createLateToken();
  scene.toolServer.misbehaviour = { token: late.endpoint };
  const caller = await send(head('POST', CALL));
  await late.asked;
  await hangUp(caller);
  expect(await call()).toBe(429);
  scene.toolServer.misbehaviour = {};
  late.release();
  expect(await becomes(200)).toBe(200);
});
