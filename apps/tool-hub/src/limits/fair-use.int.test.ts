import { afterEach, describe, expect, it } from '@jest/globals';
import { createRateLimiter } from '@legate/rate-limit';
import { eventually } from '@legate/testing';
import request, { type Response } from 'supertest';
import { sendJson } from '../testing/http-server.ts';
import { createScene, FAIR_USE, type Scene } from '../testing/scene.ts';
import type { FairUseLimits } from './fair-use.ts';

let scene: Scene;
let alice: string;
let bob: string;
afterEach(() => scene.stop());

async function start(fairUse: Partial<FairUseLimits> = {}): Promise<void> {
  scene = await createScene({ app: { fairUse: { ...FAIR_USE, ...fairUse } } });
  alice = await scene.idTokenOf('user_alice');
  bob = await scene.idTokenOf('user_bob');
}

const callAsApplication = (token: string, headers = {}): Promise<Response> =>
  request(scene.app)
    .post('/api/v1/connectors/con_tools/tools/whoami/call')
    .auth(token, { type: 'bearer' })
    .set(headers)
    .send({ arguments: {} })
    .then((res) => res);
const askAsAgent = (token: string, message: object = toolCall, path = '/mcp/con_tools'): Promise<Response> =>
  request(scene.app)
    .post(path)
    .auth(token, { type: 'bearer' })
    .set({ Host: 'hub.test', Accept: 'application/json', 'MCP-Protocol-Version': '2025-11-25' })
    .send({ jsonrpc: '2.0', ...message })
    .then((res) => res);
const toolCall = { id: 1, method: 'tools/call', params: { name: 'whoami', arguments: {} } };
const limitOf = ({ headers }: Response) =>
  ['x-ratelimit-limit', 'x-ratelimit-remaining'].map((name) => headers[name]);

describe('requests per minute', () => {
  it('have one limit for /api/v1, /mcp and all users of an organization, which every response contains', async () => {
    await start({ requestsPerMinute: 5 });
    expect(limitOf(await callAsApplication(alice))).toEqual(['5', '4']);
    expect(limitOf(await askAsAgent(alice))).toEqual(['5', '3']);
    const unknown = await request(scene.app).get('/api/v1/nothing').auth(alice, { type: 'bearer' });
    expect([unknown.status, ...limitOf(unknown)]).toEqual([404, '5', '2']);
    const unreadable = await request(scene.app)
      .post('/mcp')
      .auth(alice, { type: 'bearer' })
      .set({ Host: 'hub.test', 'Content-Type': 'application/json' })
      .send('{');
    expect([unreadable.status, ...limitOf(unreadable)]).toEqual([400, '5', '1']);
    const refused = await callAsApplication(
      await scene.idTokenOf('user_carol', { organization_id: 'org_none' }),
    );
    expect([refused.status, ...limitOf(refused)]).toEqual([404, '60', '59']);
    const last = await callAsApplication(bob);
    expect([last.status, ...limitOf(last)]).toEqual([200, '5', '0']);
  });

  it('are refused with 429 beyond the limit at /api/v1 and /mcp, without a request to a tool server', async () => {
    await start({ requestsPerMinute: 2 });
    await callAsApplication(alice);
    await callAsApplication(alice);
    const calls = scene.toolServer.calls.length;
    const [api, mcp] = [await callAsApplication(alice), await askAsAgent(bob)];
    expect([api.status, api.body.code, ...limitOf(api)]).toEqual([429, 'rate_limit_exceeded', '2', '0']);
    expect(api.get('Retry-After')).toMatch(/^\d+$/);
    expect(mcp.status).toBe(429);
    expect(mcp.body).toMatchObject({ id: 1, error: { code: 429, data: { code: 'rate_limit_exceeded' } } });
    expect(mcp.body.error.data).not.toHaveProperty('authorization'); // this is not a denial
    expect(mcp.get('Retry-After')).toMatch(/^\d+$/);
    expect(scene.toolServer.calls.length).toBe(calls);
    const rules = (await scene.audited()).map(({ details }) => details.rule);
    expect(rules).toEqual(['token_issued', 'token_cached', 'rate_limited', 'rate_limited']);
    expect(await scene.metrics()).toMatch(/^fair_use_refusals_total\{bound="rate".*\} 2$/m);
  });

  it('include initialize at the endpoint of one tool server, which may be asked for its description', async () => {
    await start({ requestsPerMinute: 2 });
    const initialize = { id: 1, method: 'initialize', params: { protocolVersion: '2025-11-25' } };
    expect(limitOf(await askAsAgent(alice, initialize))).toEqual(['2', '1']);
  });

  it.each<[string, object]>([
    ['ping', { id: 1, method: 'ping' }],
    ['initialize', { id: 1, method: 'initialize', params: { protocolVersion: '2025-11-25' } }],
    ['a notification', { method: 'notifications/initialized' }],
    ['a response', { id: 1, result: {} }],
  ])('do not include %s', async (_what, message) => {
    await start({ requestsPerMinute: 1 });
    for (let i = 0; i < 3; i += 1) {
      const answer = await askAsAgent(alice, message, '/mcp');
      expect([answer.status < 300, ...limitOf(answer)]).toEqual([true, undefined, undefined]);
    }
    expect((await askAsAgent(alice)).status).toBe(200);
  });

  it('are all available to a user who is the only caller', async () => {
    await start({ requestsPerMinute: 4 });
    const answers = [];
    for (let i = 0; i < 5; i += 1) answers.push(await callAsApplication(alice));
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200, 429]);
  });

  it('leave half of them to other users who call too', async () => {
    await start({ requestsPerMinute: 10 });
    await callAsApplication(bob);
    const answers = [];
    for (let i = 0; i < 20; i += 1) answers.push(await callAsApplication(alice));
    expect(answers.map(({ status }) => status)).toEqual([...Array(5).fill(200), ...Array(15).fill(429)]);
    expect(limitOf(await callAsApplication(bob))).toEqual(['10', '3']);
  });

  it("are limited to this process's share while Redis is down", async () => {
    const limiter = createRateLimiter({ clock: () => new Date() });
    await start();
    const app = scene.replica({
      fairUse: { ...FAIR_USE, requestsPerMinute: 7 },
      planLimiter: limiter,
    });
    const answer = await request(app).get('/api/v1/connectors').auth(alice, { type: 'bearer' });
    expect([answer.status, ...limitOf(answer)]).toEqual([200, '7', '6']);
  });
});

describe('concurrent calls', () => {
  const SLOTS = { process: 6, organization: 4, user: 2, agent: 1 };

  /** Holds the calls at the tool server until they are released. */
  function hold() {
    const held: (() => void)[] = [];
    scene.toolServer.misbehaviour = {
      mcp: (_req, res) => {
        held.push(() => sendJson(res, 503, {}));
      },
    };
    return {
      async until(count: number) {
        await eventually(`${count} calls at the tool server`, () => held.length >= count);
      },
      release() {
        scene.toolServer.misbehaviour = {};
        for (const end of held.splice(0)) end();
      },
    };
  }

  it("of one user are refused above the limit, at /api/v1 and /mcp, while another user's are served", async () => {
    await start({ slots: SLOTS });
    await callAsApplication(alice);
    const { until, release } = hold();
    const running = [callAsApplication(alice), callAsApplication(alice)];
    await until(2);
    const [api, mcp] = [await callAsApplication(alice), await askAsAgent(alice)];
    expect([api.status, api.body.code, api.get('Retry-After')]).toEqual([429, 'concurrency_exceeded', '1']);
    expect([mcp.status, mcp.body.error.data.code]).toEqual([429, 'concurrency_exceeded']);
    scene.toolServer.misbehaviour = {};
    expect((await callAsApplication(bob)).status).toBe(200);
    release();
    await Promise.all(running);
    expect((await callAsApplication(alice)).status).toBe(200);
    expect((await scene.audited()).map(({ details }) => details.rule)).toContain('concurrency_exceeded');
    expect(await scene.metrics()).toMatch(/^fair_use_refusals_total\{bound="user".*\} 2$/m);
  });

  it('of an organization and of the process have separate limits', async () => {
    await start({ slots: { process: 3, organization: 2, user: 2, agent: 1 } });
    await callAsApplication(alice);
    const { until, release } = hold();
    const running = [callAsApplication(alice)];
    await until(1);
    running.push(callAsApplication(bob));
    await until(2);
    const carol = await scene.idTokenOf('user_carol');
    expect((await callAsApplication(carol)).body.detail).toContain('This organization');
    running.push(callAsApplication(await scene.idTokenOf('user_dave', { organization_id: 'org_globex' })));
    await until(3);
    const erin = await scene.idTokenOf('user_erin', { organization_id: 'org_globex' });
    expect((await callAsApplication(erin)).body.detail).toContain('The hub');
    release();
    await Promise.all(running);
  });
});
