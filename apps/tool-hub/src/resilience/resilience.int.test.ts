import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { ConnectorId } from '@legate/ids';
import { eventually } from '@legate/testing';
import type { Express } from 'express';
import request from 'supertest';
import { createConnectorRegistry } from '../domain/registry.ts';
import { type FakeToolServer, startFakeToolServer } from '../testing/fake-tool-server.ts';
import { type Handler, sendJson } from '../testing/http-server.ts';
import { createScene, type Scene, type SceneOptions } from '../testing/scene.ts';

let scene: Scene;
let app: Express;
let other: FakeToolServer;
let alice: string;
let waits: (number | undefined)[];

const LIMITS = { maxConcurrent: 3, openSeconds: 30 };

/** Starts a scene in which Alice has two connectors: `con_tools`, and `con_other` at a server that works. */
async function begin(options: SceneOptions = {}) {
  waits = [];
  const pause = async (retryAfterSeconds?: number) => void waits.push(retryAfterSeconds);
  scene = await createScene({ ...options, app: { pause, guardLimits: LIMITS, ...options.app } });
  other = await startFakeToolServer({ clock: scene.clock });
  const { resource } = other;
  app = scene.replica({
    registry: createConnectorRegistry([
      scene.connector,
      { ...scene.connector, id: ConnectorId.parse('con_other'), resource, mcpUrl: `${resource}/mcp` },
    ]),
  });
  alice = await scene.idTokenOf('user_alice');
}

beforeEach(() => begin());

afterEach(async () => {
  await other.stop();
  await scene.stop();
});

const call = (connectorId = 'con_tools', token = alice) =>
  request(app)
    .post(`/api/v1/connectors/${connectorId}/tools/whoami/call`)
    .set('Authorization', `Bearer ${token}`)
    .send({})
    .then((res) => ({ status: res.status, code: res.body.code, retryAfter: res.get('Retry-After') }));

const OPEN = { status: 503, code: 'tool_server_unavailable', retryAfter: '30' };
const answering =
  (status: number, headers: Record<string, string> = {}): Handler =>
  (_req, res) =>
    sendJson(res, status, {}, headers);

/** Makes the tool server hold every call until released. */
function hanging() {
  const held: (() => void)[] = [];
  const handler: Handler = (_req, res) => {
    held.push(() => sendJson(res, 503, {}));
  };
  return {
    handler,
    held,
    async until(count: number) {
      await eventually(`${count} calls at the server`, () => held.length >= count);
    },
  };
}

describe('a connector whose tool server fails', () => {
  it('is refused after five failed calls, without a request to the server, while others are served', async () => {
    scene.toolServer.misbehaviour = { mcp: answering(503) };
    const bob = await scene.idTokenOf('user_bob');
    for (const user of [alice, bob, alice, bob, alice])
      expect((await call('con_tools', user)).status).toBe(503);
    const asked = scene.toolServer.calls.length;
    expect(await call()).toEqual(OPEN);
    expect(scene.toolServer.calls.length).toBe(asked);
    expect((await call('con_other')).status).toBe(200);
    const line =
      scene
        .logged()
        .split('\n')
        .filter((text) => text.includes('"request refused"'))
        .at(-1) ?? '{}';
    expect(JSON.parse(line)).toMatchObject({ level: 'warn', reason: 'it has failed too often recently' });
    expect(line).not.toContain('stack');
  });

  it("is still called if only one user's calls fail", async () => {
    scene.toolServer.misbehaviour = { mcp: answering(503) };
    for (let i = 0; i < 20; i += 1) expect((await call()).status).toBe(503);
    scene.toolServer.misbehaviour = {};
    expect((await call('con_tools', await scene.idTokenOf('user_bob'))).status).toBe(200);
  });

  it('is refused after four of five calls of one user could not connect', async () => {
    await call();
    await scene.toolServer.stop();
    for (let i = 0; i < 4; i += 1) expect(await call()).not.toEqual(OPEN);
    expect(await call()).toEqual(OPEN);
  });

  it.each<[string, Handler]>([
    ['is forbidden', answering(403)],
    ['is answered with 400', answering(400)],
    ['is answered with 404', answering(404)],
    ['is one too many (429)', answering(429)],
    ['fails there (500)', answering(500)],
    ['is answered with what is no JSON', (_req, res) => void res.writeHead(200).end('<html>')],
  ])('is still called if each call of all users %s', async (_case, mcp) => {
    scene.toolServer.misbehaviour = { mcp };
    const bob = await scene.idTokenOf('user_bob');
    for (let i = 0; i < 10; i += 1) for (const user of [alice, bob]) await call('con_tools', user);
    scene.toolServer.misbehaviour = {};
    expect((await call()).status).toBe(200);
  });

  it('has a limit of concurrent calls, and refuses the next without affecting others', async () => {
    await call(); // obtains a token, so that only the call hangs
    const { handler, held, until } = hanging();
    scene.toolServer.misbehaviour = { mcp: handler };
    const ended: string[] = [];
    const stuck = [1, 2, 3].map(() => call().then(() => ended.push('stuck')));
    await until(3);
    expect(await call()).toEqual({ status: 503, code: 'tool_server_unavailable', retryAfter: '1' });
    for (let i = 0; i < 5; i += 1) {
      expect((await call('con_other')).status).toBe(200);
      ended.push('other');
    }
    for (const release of held) release();
    await Promise.all(stuck);
    expect(ended).toEqual(['other', 'other', 'other', 'other', 'other', 'stuck', 'stuck', 'stuck']);
    expect(held.length).toBe(3);
  });
});

describe('a connector whose authorization server fails', () => {
  it('is refused after four of five delegations, while cached tokens and other connectors work', async () => {
    await call();
    scene.toolServer.misbehaviour = { token: answering(503) };
    const users = await Promise.all(
      ['b', 'c', 'd', 'e', 'f', 'g'].map((name) => scene.idTokenOf(`user_${name}`)),
    );
    const answers = [];
    for (const user of users) answers.push(await call('con_tools', user));
    expect(answers.map(({ status }) => status)).toEqual([503, 503, 503, 503, 503, 503]);
    expect(answers.at(-1)).toEqual(OPEN);
    expect(scene.toolServer.redemptions.length).toBe(1 + 4 * 2); // two attempts for each call, and none for the others
    expect((await call()).status).toBe(200);
    expect((await call('con_other', users[0])).status).toBe(200);
  });

  it('is not affected by failures of the identity provider', async () => {
    scene.idp.misbehaviour = { token: answering(503) };
    for (let i = 0; i < 8; i += 1) expect((await call()).code).toBe('idp_unavailable');
    scene.idp.misbehaviour = {};
    expect((await call()).status).toBe(200);
  });

  it('does not count denials as failures', async () => {
    scene.toolServer.misbehaviour = { token: (_req, res) => sendJson(res, 400, { error: 'access_denied' }) };
    for (let i = 0; i < 8; i += 1) expect((await call()).code).toBe('delegation_denied');
    scene.toolServer.misbehaviour = {};
    expect((await call()).status).toBe(200);
  });
});

describe('a retry', () => {
  const redemptions = () => scene.toolServer.redemptions.length;
  const exchanges = () => scene.idp.exchanges.length;
  const reads = () => scene.toolServer.metadataReads.length;

  it.each<[string, () => void, () => number, number, number]>([
    ['an exchange that fails', () => (scene.idp.misbehaviour = { token: answering(500) }), exchanges, 2, 1],
    [
      'an exchange that is one too many',
      () => (scene.idp.misbehaviour = { token: answering(429) }),
      exchanges,
      1,
      0,
    ],
    [
      'an exchange that is denied',
      () =>
        (scene.idp.misbehaviour = { token: (_req, res) => sendJson(res, 400, { error: 'access_denied' }) }),
      exchanges,
      1,
      0,
    ],
    [
      'a redemption that fails',
      () => (scene.toolServer.misbehaviour = { token: answering(502) }),
      redemptions,
      2,
      1,
    ],
    [
      'a redemption that is refused',
      () =>
        (scene.toolServer.misbehaviour = {
          token: (_req, res) => sendJson(res, 400, { error: 'invalid_grant' }),
        }),
      redemptions,
      1,
      0,
    ],
    ['metadata that fails', () => (scene.toolServer.misbehaviour = { resourceMetadata: 503 }), reads, 2, 1],
    [
      'a call that fails',
      () => (scene.toolServer.misbehaviour = { mcp: answering(503) }),
      () => scene.toolServer.calls.length,
      1,
      0,
    ],
    [
      'a call whose connection breaks',
      () => (scene.toolServer.misbehaviour = { mcp: (req) => void req.socket.destroy() }),
      () => scene.toolServer.calls.length,
      1,
      0,
    ],
  ])('after %s is made as often as expected', async (_case, misbehave, count, requests, pauses) => {
    misbehave();
    await call();
    expect([count(), waits.length]).toEqual([requests, pauses]);
  });

  it('a call that could not be sent', async () => {
    await call();
    await scene.toolServer.stop();
    expect((await call()).code).toBe('tool_server_unavailable');
    expect(waits.length).toBe(1);
  });

  it.each([
    ['1', 2, [1], '1'],
    ['2', 2, [2], '2'],
    ['3', 1, [], '3'],
    ['86400', 1, [], '60'],
    ['soon', 2, [undefined], '5'],
  ])('with Retry-After %s', async (header, requests, pauses, answered) => {
    scene.toolServer.misbehaviour = { token: answering(503, { 'Retry-After': header }) };
    const { retryAfter } = await call();
    expect([redemptions(), waits, retryAfter]).toEqual([requests, pauses, answered]);
  });
});

it('ends a request for a token at the time limit of the HTTP client', async () => {
  await other.stop();
  await scene.stop();
  await begin({ http: { timeoutMs: 2000 } });
  scene.toolServer.misbehaviour = { token: () => {} };
  expect((await call()).code).toBe('tool_server_unavailable');
  expect(scene.toolServer.redemptions.length).toBe(1);
});
