import { expect, it, jest } from '@jest/globals';
import { ConnectorId, OrganizationId, UserId } from '@legate/ids';
import { createKnownParamHeaders } from '@legate/mcp-client';
import type { NoteListed } from '../connectors/listed-tools.ts';
import type { Caller } from '../domain/caller.ts';
import type { Connector } from '../domain/connector.ts';
import { createReadList } from './list-pages.ts';

const CALLER: Caller = {
  userId: UserId.parse('user_alice'),
  organizationId: OrganizationId.parse('org_acme'),
  subjectToken: 'token',
  subjectTokenId: 'id',
  audiences: ['application'],
  authentication: { client: 'frontend-app' },
};
const CONNECTOR: Connector = {
  id: ConnectorId.parse('con_tools'),
  organizationId: OrganizationId.parse('org_acme'),
  name: 'Tools',
  resource: 'https://tools.example',
  mcpUrl: 'https://tools.example/mcp',
  methods: [{ method: 'passthrough', acceptedAudiences: [] }],
  scopes: [],
};
/** More arguments than fit on the stack */
const MANY = 500_000;

const readListOf = (result: Record<string, unknown>, onListed = jest.fn<NoteListed>()) =>
  createReadList({
    send: async () => ({
      answer: { kind: 'result', json: JSON.stringify(result), result },
      credential: { kind: 'api_key', method: 'service', key: 'key', header: 'x-key', value: 'key' },
      fromCache: false,
    }),
    known: createKnownParamHeaders(),
    maxBytes: 1024,
    onListed,
    clock: () => new Date(0),
  });

it('reads a page with more items than a call can have arguments', async () => {
  const readList = readListOf({ prompts: Array.from({ length: MANY }, () => ({})) });
  const list = await readList(CALLER, CONNECTOR, 'prompts', { deadline: 0 });
  expect(list.items.length).toBe(MANY);
});

it('reports the names of listed tools, including those that an agent may not use, and of nothing else', async () => {
  const onListed = jest.fn<NoteListed>();
  const bound = { ...CONNECTOR, binding: { tools: new Set(['whoami']), scopesKey: undefined } };
  const tools = [{ name: 'whoami' }, { name: 'create_note' }, { name: 7 }];
  await readListOf({ tools }, onListed)(CALLER, bound, 'tools', { deadline: 0 });
  await readListOf({ prompts: [{ name: 'greet' }] }, onListed)(CALLER, CONNECTOR, 'prompts', { deadline: 0 });
  expect(onListed.mock.calls).toEqual([[bound, ['whoami', 'create_note', 7]]]);
});

it.each([
  [null, 0],
  [[null, 7, 'a tool', [], [{ name: 'nested' }], { name: 'whoami' }], 6],
])('accepts %j as a list, and counts the entries that are not tools', async (tools, items) => {
  const list = await readListOf({ tools })(CALLER, CONNECTOR, 'tools', { deadline: 0 });
  expect([list.items.length, list.isCut]).toEqual([items, false]);
});

it.each([undefined, {}, 'tools', 0])('refuses %j, which is not a list', async (tools) => {
  await expect(readListOf({ tools })(CALLER, CONNECTOR, 'tools', { deadline: 0 })).rejects.toThrow();
});

it.each([null, '', 0, ['next']])('treats %j as a missing cursor', async (nextCursor) => {
  const readList = readListOf({ tools: [{ name: 'whoami' }], nextCursor });
  const list = await readList(CALLER, CONNECTOR, 'tools', { deadline: 0 });
  expect([list.items.length, list.isCut]).toEqual([1, false]);
});
