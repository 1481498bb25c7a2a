import { expect, it } from '@jest/globals';
import { ConnectorId, OrganizationId, UserId } from '@legate/ids';
import { createKnownParamHeaders } from '@legate/mcp-client';
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
/** More than fit on the stack as arguments */
const MANY = 500_000;

it('reads a page with more items than a call can have arguments', async () => {
  const result = { prompts: Array.from({ length: MANY }, () => ({})) };
  const readList = createReadList({
    send: async () => ({
      answer: { kind: 'result', json: '{}', result },
      credential: { kind: 'api_key', method: 'service', key: 'key', header: 'x-key', value: 'key' },
      fromCache: false,
    }),
    known: createKnownParamHeaders(),
    maxBytes: 1024,
    clock: () => new Date(0),
  });
  const list = await readList(CALLER, CONNECTOR, 'prompts', { deadline: 0 });
  expect(list.items.length).toBe(MANY);
});
