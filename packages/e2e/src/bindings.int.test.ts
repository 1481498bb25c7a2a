import { afterAll, beforeAll, expect } from '@jest/globals';
import { createLegs, exchange, member, scene, signIn, text } from '@legate/dev';
import { needs } from '@legate/testing';
import { soon } from './soon.ts';
import { type StackUnderTest, startStackUnderTest } from './stack-under-test.ts';

const { it } = needs('time');

/**
 * Tests how bindings that an administrator sets in the management API change the tools of an agent at the hub's `/mcp`.
 */

let stack: StackUnderTest;
/** Tokens of Alice, an owner of the organization: for the API, and for the hub */
let tokens: { accessToken: string; idToken: string };
let agentId: string;

beforeAll(async () => {
  stack = await startStackUnderTest();
  const { email } = scene.USERS.alice;
  tokens = await signIn({ issuer: stack.urls['mock-idp'], email, resource: stack.urls['management-api'] });
  const name = 'Assistant of the test';
  const agent = await ask('POST', '/agents', { name, status: 'active' });
  agentId = text(agent.answer, 'id');
  expect((await bind({})).status).toBe(201);
});
afterAll(() => stack?.stop());

const ask = (method: string, path: string, json?: object) =>
  exchange(method, `${stack.urls['management-api']}/api/v1${path}`, json ? { json } : {}, {
    Authorization: `Bearer ${tokens.accessToken}`,
  });

const bind = (binding: object) => ask('PUT', `/agents/${agentId}/connectors/${scene.CONNECTOR}`, binding);

const asAgent = (method: string, params: object = {}, agent = agentId) =>
  exchange(
    'POST',
    `${stack.urls['tool-hub']}/mcp`,
    { json: { jsonrpc: '2.0', id: 1, method, params } },
    {
      Authorization: `Bearer ${tokens.idToken}`,
      Accept: 'application/json, text/event-stream',
      ...{ 'MCP-Protocol-Version': '2025-11-25', 'Legate-Agent-Id': agent },
    },
  );

async function toolsOf(): Promise<string[]> {
  const listed = member((await asAgent('tools/list')).answer, 'result', 'tools');
  return (Array.isArray(listed) ? listed : []).map((tool) => text(tool, 'name')).sort();
}

/** @returns `done`, or why not */
async function call(tool: string, args: object = {}): Promise<string> {
  const { answer } = await asAgent('tools/call', { name: scene.toolAtMcp(tool), arguments: args });
  const problem = member(answer, 'result', '_meta', 'legate/problem', 'code');
  if (typeof problem === 'string') return problem;
  return member(answer, 'result', 'isError') === true || member(answer, 'error') ? 'error' : 'done';
}

const named = (...tools: string[]) => tools.map(scene.toolAtMcp);
const NOTE = { text: 'by an agent' };

it("follow the agent's binding, from all tools to one scope, to one tool, to none", async () => {
  expect(await toolsOf()).toEqual(expect.arrayContaining(named('create_note', 'whoami')));
  expect([await call('create_note', NOTE), await call('whoami')]).toEqual(['done', 'done']);

  expect((await bind({ scopes: ['mcp:tools:read'] })).status).toBe(200);
  expect(await call('create_note', NOTE)).toBe('delegation_denied');
  expect(await call('whoami')).toBe('done');

  expect((await bind({ tools: ['whoami'] })).status).toBe(200);
  expect(await toolsOf()).toEqual(named('whoami'));
  expect([await call('whoami'), await call('create_note', NOTE)]).toEqual(['done', 'error']);

  expect((await ask('DELETE', `/agents/${agentId}/connectors/${scene.CONNECTOR}`)).status).toBe(204);
  expect(await toolsOf()).toEqual([]);
  expect(await call('whoami')).toBe('error');
});

it('name the workload in the audit trail when the tool server acts for the user', async () => {
  expect((await bind({ tools: ['list_sites'] })).status).toBe(201);
  await soon('done', () => call('list_sites'));
  await soon({ type: 'system', id: scene.TRANSACTION_CLIENT.id, name: null, email: null }, async () => {
    const { answer } = await ask('GET', '/audit-events?action=token.issued');
    return member(answer, 'data', 0, 'actor');
  });
});

it('name the workload in the audit trail, too, for a request that was not granted', async () => {
  const legs = createLegs(stack.urls);
  const assertion = text((await legs.exchangeIdToken(tokens.idToken)).answer, 'access_token');
  const redeemed = await legs.redeemAssertion(assertion, scene.TOOL_SERVER_CLIENTS.hub);
  const accessToken = text(redeemed.answer, 'access_token');
  expect((await legs.requestTransactionToken(accessToken, 'sites:delete', {})).status).toBe(400);
  await soon([scene.TRANSACTION_CLIENT.id, 'denied', 'operation_not_granted', 'user_alice'], async () => {
    const event = member((await ask('GET', '/audit-events?action=token.denied')).answer, 'data', 0);
    const details = ['outcome', 'rule', 'user_id'].map((name) => member(event, 'details', name));
    return [member(event, 'actor', 'id'), ...details];
  });
});

it("declare for which tools the agent's host must ask the user", async () => {
  const expectApprovals = (approvals: Record<string, string>) =>
    soon(approvals, async () => {
      const listed = member((await asAgent('tools/list')).answer, 'result', 'tools');
      return Object.fromEntries(
        (Array.isArray(listed) ? listed : []).map((tool) => [
          text(tool, 'name'),
          member(tool, '_meta', 'legate/approval'),
        ]),
      );
    });
  const [reading = '', writing = ''] = named('whoami', 'create_note');
  for (const [approval, ofReading, ofWriting] of [
    ['write', 'not-required', 'required'],
    ['always', 'required', 'required'],
    ['never', 'not-required', 'not-required'],
  ] as const) {
    expect((await bind({ tools: ['whoami', 'create_note'], approval })).status).toBe(200);
    await expectApprovals({ [reading]: ofReading, [writing]: ofWriting });
  }
  expect(await call('create_note', NOTE)).toBe('done');
});

it('end when the agent or the connector is disabled', async () => {
  expect((await bind({ tools: ['whoami'] })).status).toBe(200);
  expect(await call('whoami')).toBe('done');
  expect((await ask('PATCH', `/agents/${agentId}`, { status: 'disabled' })).status).toBe(200);
  await soon('agent_inactive', async () =>
    member((await asAgent('tools/list')).answer, 'error', 'data', 'code'),
  );

  expect((await ask('PATCH', `/agents/${agentId}`, { status: 'active' })).status).toBe(200);
  expect(await call('whoami')).toBe('done');
  expect((await ask('PATCH', `/connectors/${scene.CONNECTOR}`, { enabled: false })).status).toBe(200);
  expect(await toolsOf()).toEqual([]);
  expect(await call('whoami')).toBe('error');
});
