import { beforeAll, expect, it } from '@jest/globals';
import { callTool } from '../testing/mcp.ts';
import { createScene, HUB, RESOURCE, type Scene } from '../testing/scene.ts';

const METADATA = `resource_metadata="${RESOURCE}/.well-known/oauth-protected-resource"`;

let scene: Scene;
beforeAll(async () => {
  scene = await createScene();
});

it.each([
  ['whoami', 'mcp:tools:call', 'mcp:tools:read'],
  ['list_notes', 'mcp:tools:call', 'mcp:tools:read'],
  ['create_note', 'mcp:tools:read', 'mcp:tools:call'],
  ['delete_note', 'mcp:tools:read', 'mcp:tools:call'],
  ['create_note', undefined, 'mcp:tools:call'],
  ['create_note', 'mcp:tools:callx xmcp:tools:call', 'mcp:tools:call'],
])('%s is refused with %s: 403, and the challenge asks for %s', async (tool, scope, needed) => {
  const token = await scene.forgeAccessToken({ scope });
  const res = await callTool(scene.app, token, tool, { text: 'x', id: 'x' });
  expect(res.status).toBe(403);
  expect(res.headers['www-authenticate']).toContain('error="insufficient_scope"');
  expect(res.headers['www-authenticate']).toContain(`scope="${needed}"`);
  expect(res.headers['www-authenticate']).toContain(METADATA);
});

it('needs no scope to list the tools', async () => {
  const token = await scene.forgeAccessToken({ scope: undefined });
  const res = await callTool(scene.app, token, undefined);
  expect(res.status).toBe(200);
  expect(res.body.result.tools.map((tool: { name: string }) => tool.name)).toEqual([
    'whoami',
    'create_note',
    'list_notes',
    'delete_note',
  ]);
});

it('keeps a grant narrow if fewer scopes were granted than the assertion contains', async () => {
  const res = await scene.redeem(await scene.idJag(), { ...HUB, scope: 'mcp:tools:read' });
  const write = await callTool(scene.app, res.body.access_token, 'create_note', { text: 'x' });
  expect(write.status).toBe(403);
});
