import { expect, it } from '@jest/globals';
import { ConnectorId, OrganizationId, UserId } from '@legate/ids';
import { createKnownParamHeaders, type McpAnswer } from '@legate/mcp-client';
import type { CallStep } from '../domain/call-step.ts';
import type { Caller } from '../domain/caller.ts';
import type { Connector } from '../domain/connector.ts';
import { createCallTool, createSendAsCaller } from './call-tool.ts';

const CALLER: Caller = {
  userId: UserId.parse('user_alice'),
  organizationId: OrganizationId.parse('org_acme'),
  subjectToken: 'an-id-token',
  subjectTokenId: 'hash-of-it',
  audiences: ['frontend-app'],
  authentication: { client: 'frontend-app' },
};
const CONNECTOR: Connector = {
  id: ConnectorId.parse('con_a'),
  organizationId: OrganizationId.parse('org_acme'),
  name: 'A',
  resource: 'https://tools.example',
  mcpUrl: 'https://tools.example/mcp',
  methods: [{ method: 'passthrough', acceptedAudiences: [] }],
  scopes: [],
};
const RESULT: McpAnswer = { kind: 'result', json: '{"content":[]}', result: { content: [] } };
const CALL = { name: 'whoami', arguments: { json: '{}', value: {} } };

/** @param answers responses of the tool server, in order */
function sceneOf(answers: McpAnswer[], counted?: Promise<void>) {
  const steps: CallStep[] = [];
  const needs: object[] = [];
  let sent = 0;
  const send = createSendAsCaller({
    delegations: {
      async obtain(_caller, _connector, need) {
        needs.push(need);
        const accessToken = `token-${needs.length}`;
        return {
          outcome: 'granted',
          credential: {
            kind: 'access_token',
            method: 'id-jag',
            accessToken,
            expiresAt: undefined,
            scopes: need.scopes,
          },
          fromCache: needs.length === 1,
        };
      },
    },
    signIn: {
      sessions: { endIfRefused: async () => undefined },
      stepUps: { demand: async () => 'demanded' },
    },
    guards: () => ({ run: (_user, work) => work() }),
    async mcp() {
      sent += 1;
      return answers.shift() ?? RESULT;
    },
    outsideCalls: { report: () => undefined },
  });
  const callTool = createCallTool({
    send,
    readTools: async () => undefined,
    known: createKnownParamHeaders(),
  });
  const observer = { report: (step: CallStep) => void steps.push(step) };
  const call = (connector = CONNECTOR) =>
    callTool(CALLER, connector, CALL, { deadline: Number.POSITIVE_INFINITY, observer, counted });
  return { call, needs, sent: () => sent, reported: () => steps.map(({ step }) => step) };
}

it('reports the steps of a call in order', async () => {
  const { call, reported } = sceneOf([RESULT]);
  expect(await call()).toMatchObject({ answer: RESULT, fromCache: true });
  expect(reported()).toEqual(['credential_obtained', 'request_sent', 'answered']);
});

it.each<[string, McpAnswer, object]>([
  ['a new token after a 401', { kind: 'unauthorized' }, { scopes: [], rejected: 'token-1' }],
  ['the named scopes after a 403', { kind: 'insufficient_scope', scopes: ['write'] }, { scopes: ['write'] }],
])('obtains %s, and reports both attempts', async (_case, answer, need) => {
  const { call, needs, reported } = sceneOf([answer, RESULT]);
  expect(await call()).toMatchObject({ answer: RESULT, fromCache: false });
  expect(needs).toMatchObject([{ scopes: [] }, need]);
  expect(reported()).toEqual([
    'credential_obtained',
    'request_sent',
    'credential_obtained',
    'request_sent',
    'answered',
  ]);
});

it('sends nothing to the tool server when the request count refuses the request', async () => {
  const { call, sent, reported } = sceneOf([RESULT], Promise.reject(new Error('rate_limit_exceeded')));
  await expect(call()).rejects.toThrow('rate_limit_exceeded');
  expect([sent(), reported()]).toEqual([0, ['credential_obtained']]);
});

it('obtains no credential for a tool that is not bound to the agent', async () => {
  const { call, needs } = sceneOf([RESULT]);
  const bound = { tools: new Set(['other']), scopesKey: undefined };
  await expect(call({ ...CONNECTOR, binding: bound })).rejects.toMatchObject({ code: 'tool_not_found' });
  expect(needs).toEqual([]);
});

it('does not attribute an HTML page with status 401 to the token', async () => {
  const page: McpAnswer = { kind: 'unauthorized', body: 'an HTML page' };
  const { call } = sceneOf([page, page]);
  await expect(call()).rejects.toMatchObject({
    code: 'connector_misconfigured',
    decided: { leg: 'tool_server', rule: 'answer_unusable', reason: expect.stringContaining('401') },
    detail: expect.stringMatching(/^(?!.*does not trust).* or of a proxy in front of it, must fix this/),
  });
});
