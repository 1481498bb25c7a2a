import { afterAll, beforeAll, expect } from '@jest/globals';
import { exchange, hostile, member } from '@legate/dev';
import { type Handler, sendJson } from '@legate/service/testing';
import { needs } from '@legate/testing';
import {
  APPLICATION,
  CLIENT_AT_TOOL_SERVERS,
  type HubUnderTest,
  ORGANIZATION,
  startHubs,
} from './hub-under-test.ts';

const { it } = needs('time');

/** Tests the built hub with benign but unusual tool servers, as they exist in practice. */

const ledger = hostile.createLedger();
const servers = new Map<string, hostile.HostileToolServer>();
/** Number of calls that each tool server executed */
const ran = new Map<string, number>();
let idp: hostile.HostileIdentityProvider;
let hub: HubUnderTest | undefined;
let idToken: string;

const FAILED = { code: -32000, message: 'the account is empty' };

/** Executes a call, and responds with a status that can also mean that the request was not executed. */
function refusesAfterwards(
  name: string,
  status: number,
  era: 'modern' | 'legacy',
  session?: string,
): Handler {
  return (req, res, body) => {
    const { id, method } = JSON.parse(body);
    const answer = (result: object, headers = {}) =>
      sendJson(res, 200, { jsonrpc: '2.0', id, result }, headers);
    if (method === 'tools/call' && (era === 'modern' || req.headers['mcp-method'] === undefined)) {
      ran.set(name, (ran.get(name) ?? 0) + 1);
      return sendJson(res, status, { jsonrpc: '2.0', id, error: FAILED });
    }
    if (era === 'legacy' && req.headers['mcp-method'] !== undefined)
      return sendJson(res, 400, { jsonrpc: '2.0', id: null, error: FAILED });
    if (id === undefined) return void res.writeHead(202).end();
    if (method !== 'initialize') return answer({ resultType: 'complete' });
    const server = { protocolVersion: '2025-06-18', capabilities: {}, serverInfo: { name, version: '1' } };
    answer(server, session === undefined ? {} : { 'Mcp-Session-Id': session });
  };
}

/** Numbers that `JSON.parse` changes */
const NUMBERS = '{"memory_id": 725653563933458433,"price":1.10,"zero":-0,"big":1e400}';
/** The body that the tool server `numbers` has received, as text */
const received: string[] = [];

/** Returns the numbers, in an envelope whose id comes last, followed by a line feed. */
const answersNumbers: Handler = (_req, res, body) => {
  const { id, method } = JSON.parse(body);
  if (method !== 'tools/call')
    return sendJson(res, 200, { jsonrpc: '2.0', id, result: { resultType: 'complete' } });
  received.push(body);
  const result = `{"content":[],"structuredContent":${NUMBERS},"resultType":"complete"}`;
  res.writeHead(200, { 'Content-Type': 'application/json' });
  res.end(`{ "jsonrpc": "2.0", "result": ${result}, "id": ${id} }\n`);
};

const STATUSES = [400, 404, 409, 422];
const KINDS: readonly (readonly [
  name: string,
  status: number,
  era: 'modern' | 'legacy',
  session?: string,
])[] = STATUSES.flatMap((status) => [
  [`modern-${status}`, status, 'modern'] as const,
  [`legacy-${status}`, status, 'legacy'] as const,
  [`session-${status}`, status, 'legacy', 'session-1'] as const,
]);

beforeAll(async () => {
  idp = await hostile.startHostileIdentityProvider({ clientIdAtToolServers: CLIENT_AT_TOOL_SERVERS, ledger });
  for (const [name, status, era, session] of KINDS) {
    const lie = { mcp: refusesAfterwards(name, status, era, session) };
    servers.set(name, await hostile.startHostileToolServer({ name, ledger, lie }));
  }
  servers.set(
    'numbers',
    await hostile.startHostileToolServer({ name: 'numbers', ledger, lie: { mcp: answersNumbers } }),
  );
  [hub] = await startHubs({ count: 1, idp, toolServers: servers, ledger });
  idToken = await idp.signIn({ id: 'user_alice', organizationId: ORGANIZATION }, APPLICATION);
});
afterAll(async () => {
  await hub?.stop();
  for (const server of servers.values()) await server.stop();
  await idp?.stop();
});

const call = (connector: string) =>
  exchange(
    'POST',
    `${hub?.url}/api/v1/connectors/${connector}/tools/pay/call`,
    { json: {} },
    { Authorization: `Bearer ${idToken}` },
  );

it.each(KINDS.map(([name, status]) => [name, status] as const))(
  '%s: a call that the tool answers with %i runs once',
  async (name, _status) => {
    for (const calls of [1, 2]) {
      const { status, answer } = await call(name);
      expect([status, member(answer, 'code'), ran.get(name)]).toEqual([502, 'tool_server_error', calls]);
    }
  },
);

it('passes numbers on exactly as they were written, in both directions', async () => {
  const inRest = await fetch(`${hub?.url}/api/v1/connectors/numbers/tools/pay/call`, {
    method: 'POST',
    headers: { Authorization: `Bearer ${idToken}`, 'Content-Type': 'application/json' },
    body: `{"arguments":${NUMBERS}}`,
  });
  expect(await inRest.text()).toContain(`"structuredContent":${NUMBERS}`);
  const inMcp = await fetch(`${hub?.url}/mcp/numbers`, {
    method: 'POST',
    headers: {
      ...{ Authorization: `Bearer ${idToken}`, 'Content-Type': 'application/json' },
      'MCP-Protocol-Version': '2025-11-25',
    },
    body: `{"jsonrpc":"2.0","method":"tools/call","params":{"name":"pay","arguments":${NUMBERS}},"id":725653563933458433}`,
  });
  const answer = await inMcp.text();
  expect(answer).toContain('"id":725653563933458433,');
  expect(answer).toContain(`"structuredContent":${NUMBERS}`);
  expect(received).toEqual([
    expect.stringContaining(`"arguments":${NUMBERS}`),
    expect.stringContaining(`"arguments":${NUMBERS}`),
  ]);
});
