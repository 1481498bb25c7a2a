import { readFileSync } from 'node:fs';
import { createMCPClient } from '@ai-sdk/mcp';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { createClient } from '@legate/client';
import { hubFetch } from '@legate/client/mcp';
import { ROOT, scene, signIn } from '@legate/dev';
import { Client } from '@modelcontextprotocol/client';
import { MCPServerStreamableHttp } from '@openai/agents-core';
import { type StackUnderTest, startStackUnderTest } from '../stack-under-test.ts';
import { callIfApproved } from './approval-example.ts';
import { createNote } from './example.ts';
import { transportOf } from './mcp-example.ts';

/** Runs the examples in the README of `@legate/client` against a whole stack. */

let stack: StackUnderTest;
beforeAll(async () => {
  stack = await startStackUnderTest({
    services: ['mock-idp', 'reference-mcp-server', 'tool-hub'],
    env: {
      'tool-hub': { CONNECTORS_FILE: `${ROOT}infra/development/connectors.json`, MANAGEMENT_API_URL: '' },
    },
  });
});
afterAll(() => stack?.stop());

const as = (user: 'alice' | 'bob') => async () =>
  (await signIn({ issuer: stack.urls['mock-idp'], email: scene.USERS[user].email })).idToken;

async function administer(path: string, init: { method: string; body?: string }): Promise<Response> {
  const headers = { Authorization: `Bearer ${scene.IDP_ADMIN_KEY}`, 'Content-Type': 'application/json' };
  return fetch(`${stack.urls['mock-idp']}/admin/policies${path}`, { ...init, headers });
}

it.each(['example.ts', 'approval-example.ts', 'mcp-example.ts', 'management-example.ts'])(
  'shows %s',
  (file) => {
    const example = readFileSync(new URL(file, import.meta.url), 'utf8');
    expect(readFileSync(`${ROOT}packages/client/README.md`, 'utf8')).toContain(`\`\`\`ts\n${example}\`\`\``);
  },
);

it('authenticates an MCP client', async () => {
  const client = new Client({ name: 'test', version: '1' });
  await client.connect(transportOf(stack.urls['tool-hub'], as('alice')));
  const { structuredContent } = await client.callTool({ name: scene.toolAtMcp('whoami'), arguments: {} });
  await client.close();
  expect(structuredContent).toMatchObject({ subject: scene.USERS.alice.id });
});

it.each<[string, (url: string, fetchFromHub: typeof fetch) => Promise<unknown>]>([
  [
    'AI SDK',
    async (url, fetchFromHub) => {
      const client = await createMCPClient({ transport: { type: 'http', url, fetch: fetchFromHub } });
      const tools = await client.tools();
      await client.close();
      return Object.keys(tools);
    },
  ],
  [
    'OpenAI Agents',
    async (url, fetchFromHub) => {
      const server = new MCPServerStreamableHttp({ url, name: 'legate', fetch: fetchFromHub });
      await server.connect();
      const tools = await server.listTools();
      await server.close();
      return tools.map(({ name }) => name);
    },
  ],
])('authenticates the MCP client of %s', async (_name, list) => {
  const hub = stack.urls['tool-hub'];
  const legate = createClient({ hub, idToken: as('alice') });
  expect(await list(`${hub}/mcp`, hubFetch(legate))).toContain(scene.toolAtMcp('whoami'));
});

it('creates a note as the user', async () => {
  expect(await createNote(stack.urls['tool-hub'], as('alice'), 'Hello')).toBe('Created.');
});

it('calls a tool that the user must approve only if they do', async () => {
  const legate = createClient({ hub: stack.urls['tool-hub'], idToken: as('alice') });
  const create = (isApproved: boolean) =>
    callIfApproved(legate, scene.toolAtMcp('create_note'), { text: 'Hello' }, async () => isApproved);
  expect(await create(false)).toBeUndefined();
  expect(await create(true)).toMatchObject({ kind: 'result', isError: false });
});

it('explains why a user may not create a note, and who can change that', async () => {
  const policy = {
    effect: 'deny',
    match: { users: [scene.USERS.bob.id], resources: [stack.urls['reference-mcp-server']] },
  };
  const made = await administer('', { method: 'POST', body: JSON.stringify(policy) });
  const { id } = (await made.json()) as { id: string };
  expect(await createNote(stack.urls['tool-hub'], as('bob'), 'Hello')).toBe(
    'The identity provider\'s policy does not allow this user to use connector "con_reference" in this way. ' +
      'An administrator can change that; signing in again does not.',
  );
  expect((await administer(`/${id}`, { method: 'DELETE' })).status).toBe(204);
});

it('requires a sign-in if there is no token', async () => {
  expect(await createNote(stack.urls['tool-hub'], async () => '', 'Hello')).toBe('Sign in again.');
});
