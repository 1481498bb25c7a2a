import { expect, it } from '@jest/globals';
import { AgentId, OrganizationId, UserId } from '@legate/ids';
import { requestContext, traceMcpMessage } from '@legate/service';
import express, { type ErrorRequestHandler } from 'express';
import request from 'supertest';
import type { Caller } from '../domain/caller.ts';
import { testBudget } from '../testing/memory-budget.ts';
import { authenticate, callerOf, followTrace, memoryOf, refuseSignedOut } from './authenticate.ts';

const ALICE: Caller = {
  userId: UserId.parse('user_alice'),
  organizationId: OrganizationId.parse('org_acme'),
  subjectToken: 'token',
  subjectTokenId: 'hash-of-it',
  audiences: ['app'],
  authentication: { client: 'app' },
};
const TRACE = '0af7651916cd43dd8448eb211c80319c';
const OTHER_TRACE = '1bf7651916cd43dd8448eb211c80319d';
const parent = (trace: string) => `00-${trace}-b7ad6b7169203331-01`;

/** Returns the caller as a route sees it. */
function app(caller = ALICE) {
  const built = express();
  built.use(requestContext(), express.json());
  built.use(
    authenticate(
      async () => caller,
      'mcp',
      testBudget(),
      () => ({ kind: 'api' }),
    ),
  );
  built.post('/', traceMcpMessage, followTrace, (_req, res) => {
    const { origin, userId } = callerOf(res);
    res.json({ userId, origin, hasMemory: memoryOf(res) !== undefined });
  });
  return built;
}
const ask = async (headers: Record<string, string> = {}, meta: object = {}, caller = ALICE) => {
  const res = await request(app(caller))
    .post('/')
    .set(headers)
    .send({ jsonrpc: '2.0', id: 1, method: 'tools/list', params: { _meta: meta } });
  return res.body;
};

it("records the caller's request id, and counts its memory", async () => {
  const { userId, origin, hasMemory } = await ask({
    'Legate-Agent-Id': 'agt_1',
    'X-Request-Id': 'their-request',
  });
  expect([userId, hasMemory]).toEqual(['user_alice', true]);
  expect(origin).toMatchObject({ endpoint: 'mcp', agentId: 'agt_1', callerRequestId: 'their-request' });
  expect(origin.requestId).not.toBe('their-request');
  expect(origin.traceId).toEqual(expect.any(String));
  expect(origin).not.toHaveProperty('callerTraceId');
});

it('distinguishes an agent that has authenticated from one that a header names', async () => {
  const named = await ask({ 'Legate-Agent-Id': 'agt_1' });
  expect(named.origin).toMatchObject({ agentId: 'agt_1', isAgentAuthenticated: false });
  const proven = await ask({ 'Legate-Agent-Id': 'agt_1' }, {}, { ...ALICE, agentId: AgentId.parse('agt_2') });
  expect(proven.origin).toMatchObject({ agentId: 'agt_2', isAgentAuthenticated: true });
});

it("records the trace in a caller's header as the caller's, and never as our own", async () => {
  const { origin } = await ask({ traceparent: parent(TRACE) });
  expect(origin.callerTraceId).toBe(TRACE);
  expect(origin).not.toHaveProperty('traceId');
});

it("records the trace in the message as the caller's, but prefers the header's", async () => {
  const inMessage = await ask({}, { traceparent: parent(TRACE) });
  expect(inMessage.origin.callerTraceId).toBe(TRACE);
  expect(inMessage.origin).not.toHaveProperty('traceId');
  const inBoth = await ask({ traceparent: parent(TRACE) }, { traceparent: parent(OTHER_TRACE) });
  expect(inBoth.origin.callerTraceId).toBe(TRACE);
});

it('leaves a caller without an origin unchanged', async () => {
  const built = express();
  built.use(requestContext(), express.json());
  built.use((_req, res, next) => {
    res.locals.caller = ALICE;
    next();
  });
  built.post('/', traceMcpMessage, followTrace, (_req, res) => void res.json(callerOf(res)));
  const { body } = await request(built)
    .post('/')
    .send({ jsonrpc: '2.0', id: 1, method: 'tools/list', params: { _meta: { traceparent: parent(TRACE) } } });
  expect(body).toEqual(ALICE);
});

it.each([
  [false, 200],
  [true, 401],
])(
  'checks before a route that calls no tool whether its caller has signed out: %s',
  async (hasSignedOut, status) => {
    const checked: unknown[] = [];
    const built = express();
    built.use(
      requestContext(),
      authenticate(
        async () => ALICE,
        'api',
        testBudget(),
        () => ({ kind: 'api' }),
      ),
    );
    const signedIn = refuseSignedOut({
      async readAndCheck(caller) {
        checked.push(caller.userId);
        if (hasSignedOut) throw Object.assign(new Error('signed out'), { status: 401 });
      },
    });
    built.get('/', signedIn, (_req, res) => void res.json({}));
    built.use(
      ((err, _req, res, _next) => void res.status(err.status).json({})) satisfies ErrorRequestHandler,
    );
    expect((await request(built).get('/')).status).toBe(status);
    expect(checked).toEqual(['user_alice']);
  },
);
