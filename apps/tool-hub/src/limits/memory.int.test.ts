import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { createMemoryBudget, createMetrics, type MemoryBudget } from '@legate/service';
import request from 'supertest';
import { createScene, type Scene } from '../testing/scene.ts';

/** Creates a memory budget of 100 kB for a user and 250 kB for an organization. */
const budgetOfTests = () =>
  createMemoryBudget({
    limitBytes: 1_000_000,
    organizationPercent: 25,
    userPercent: 10,
    metrics: createMetrics('tool-hub').registry,
  });

let memory: MemoryBudget;
let scene: Scene;
let alice: string;
let bob: string;
/** Resolves when the hub disconnects from the tool server. */
let isCut: Promise<unknown>;

beforeEach(async () => {
  memory = budgetOfTests();
  scene = await createScene({ app: { memory } });
  [alice, bob] = await Promise.all([scene.idTokenOf('user_alice'), scene.idTokenOf('user_bob')]);
});
afterEach(() => scene.stop());

/** Sends 90 kB, which count twice, of a response that never ends */
function answerTooMuch() {
  isCut = new Promise((resolve) => {
    scene.toolServer.misbehaviour = {
      mcp: (_req, res) => {
        res.on('close', () => resolve(undefined)).writeHead(200, { 'Content-Type': 'application/json' });
        res.write(`{"padding":"${'x'.repeat(90_000)}`);
      },
    };
  });
}

const call = (token: string, args: object = {}) =>
  request(scene.app)
    .post('/api/v1/connectors/con_tools/tools/whoami/call')
    .set('Authorization', `Bearer ${token}`)
    .send({ arguments: args });

const callAsAgent = (token: string, args: object = {}) =>
  request(scene.app)
    .post('/mcp/con_tools')
    .set('Authorization', `Bearer ${token}`)
    .set('Host', 'hub.test')
    .set('Accept', 'application/json, text/event-stream')
    .set('MCP-Protocol-Version', '2025-11-25')
    .send({ jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'whoami', arguments: args } });

describe("a response that exceeds its caller's memory", () => {
  it('is cancelled, and the application gets 503 with the reason', async () => {
    answerTooMuch();
    const res = await call(alice);
    expect([res.status, res.body.code, res.get('Retry-After')]).toEqual([503, 'hub_busy', '2']);
    await isCut;
    const [event] = (await scene.audited()).filter(({ action }) => action === 'tool.failed');
    expect(event?.details).toMatchObject({ leg: 'hub', rule: 'memory_exhausted' });
  });

  it('is cancelled, and the agent gets the reason in the result of its call', async () => {
    answerTooMuch();
    const res = await callAsAgent(alice);
    expect(res.body.result).toMatchObject({
      isError: true,
      _meta: { 'legate/problem': { code: 'hub_busy', retry_after_seconds: 2 } },
    });
    await isCut;
  });

  it('leaves memory for others, and for the next call of the same caller', async () => {
    answerTooMuch();
    await call(alice);
    scene.toolServer.misbehaviour = {};
    expect([(await call(alice)).status, (await call(bob)).status]).toEqual([200, 200]);
  });
});

describe("a request that exceeds its caller's memory", () => {
  const LONG = { a: 'x'.repeat(12_000) };
  beforeEach(() => {
    memory.open({ organizationId: 'org_acme', userId: 'user_alice' }).take(60_000);
  });

  it('gets 503 for an application, and nothing is sent to a tool server', async () => {
    const res = await call(alice, LONG);
    expect([res.status, res.body.code, res.get('Retry-After')]).toEqual([503, 'hub_busy', '2']);
    expect(scene.toolServer.calls).toEqual([]);
    expect((await call(bob, LONG)).status).toBe(200);
  });

  it('gets a JSON-RPC error with 503 for an agent', async () => {
    const res = await callAsAgent(alice, LONG);
    expect([res.status, res.get('Retry-After')]).toEqual([503, '2']);
    expect(res.body).toMatchObject({
      jsonrpc: '2.0',
      error: { code: 503, data: { code: 'hub_busy', retry_after_seconds: 2 } },
    });
  });
});
