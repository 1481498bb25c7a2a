import { afterAll, beforeAll, expect } from '@jest/globals';
import { exchange, hostile } from '@legate/dev';
import { type Handler, sendJson } from '@legate/service/testing';
import { eventually, needs } from '@legate/testing';
import {
  APPLICATION,
  CLIENT_AT_TOOL_SERVERS,
  type HubUnderTest,
  ORGANIZATION,
  startHubs,
} from './hub-under-test.ts';

const { it } = needs('time');

/** Tests that a hub process ends the sessions that it has opened at tool servers. */

const opened: string[] = [];
const ended: string[] = [];
/** A server with sessions; `hangs` receives the request to end one, and never responds. */
const withSessions =
  (name: string): Handler =>
  (req, res, body) => {
    if (req.method === 'DELETE') {
      ended.push(String(req.headers['mcp-session-id']));
      return name === 'hangs' ? undefined : void res.writeHead(204).end();
    }
    const { id, method } = JSON.parse(body);
    const answer = (result: object, headers = {}) =>
      sendJson(res, 200, { jsonrpc: '2.0', id, result }, headers);
    if (req.headers['mcp-method'] !== undefined)
      return sendJson(res, 400, { jsonrpc: '2.0', id: null, error: { code: -32000, message: 'No session' } });
    if (id === undefined) return void res.writeHead(202).end();
    if (method !== 'initialize') return answer({ content: [] });
    opened.push(`${name}-${opened.length + 1}`);
    const server = { protocolVersion: '2025-06-18', capabilities: {}, serverInfo: { name, version: '1' } };
    return answer(server, { 'Mcp-Session-Id': opened.at(-1) ?? '' });
  };

const ledger = hostile.createLedger();
const servers = new Map<string, hostile.HostileToolServer>();
let idp: hostile.HostileIdentityProvider;
let hub: HubUnderTest | undefined;
beforeAll(async () => {
  idp = await hostile.startHostileIdentityProvider({ clientIdAtToolServers: CLIENT_AT_TOOL_SERVERS, ledger });
  for (const name of ['notes', 'sites', 'hangs'])
    servers.set(
      name,
      await hostile.startHostileToolServer({ name, ledger, lie: { mcp: withSessions(name) } }),
    );
  [hub] = await startHubs({ count: 1, idp, toolServers: servers, ledger });
});
afterAll(async () => {
  await hub?.stop();
  for (const server of servers.values()) await server.stop();
  await idp?.stop();
});

it("at the sign-out of a user the user's sessions, and at its own stop all others", async () => {
  const tokens = new Map<string, string>();
  for (const id of ['user_alice', 'user_bob'])
    tokens.set(id, await idp.signIn({ id, organizationId: ORGANIZATION }, APPLICATION));
  const send = async (user: string, method: string, path: string) => {
    const headers = { Authorization: `Bearer ${tokens.get(user)}` };
    return (await exchange(method, `${hub?.url}/api/v1${path}`, { json: {} }, headers)).status;
  };
  const call = (user: string, connector: string) =>
    send(user, 'POST', `/connectors/${connector}/tools/look/call`);

  for (let times = 0; times < 3; times += 1)
    for (const user of tokens.keys())
      for (const connector of servers.keys()) expect(await call(user, connector)).toBe(200);
  expect([opened.length, ended]).toEqual([6, []]);

  expect(await send('user_alice', 'DELETE', '/tokens')).toBe(204);
  await eventually('the end of three sessions', () => ended, { until: ({ length }) => length === 3 });
  expect(await call('user_bob', 'notes')).toBe(200);
  expect([opened.length, ended.length]).toEqual([6, 3]);

  await hub?.stop();
  hub = undefined;
  expect(ended.toSorted()).toEqual(opened.toSorted());
});
