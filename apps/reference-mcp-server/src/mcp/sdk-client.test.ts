import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { createHttpServer } from '@legate/service';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { createScene, type Scene } from '../testing/scene.ts';

/** Tests the server with real clients of both revisions, over a socket. */

let scene: Scene;
let server: Server;
let url: URL;
const clients: Client[] = [];

beforeEach(async () => {
  scene = await createScene();
  server = createHttpServer(scene.app);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  url = new URL(`http://localhost:${(server.address() as AddressInfo).port}/mcp`);
});

afterEach(async () => {
  await Promise.all(clients.splice(0).map((client) => client.close()));
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
});

async function connect(token: string, era: 'modern' | 'legacy'): Promise<Client> {
  const mode = era === 'modern' ? { pin: '2026-07-28' } : ('legacy' as const);
  const client = new Client({ name: 'test', version: '1' }, { versionNegotiation: { mode } });
  clients.push(client);
  await client.connect(
    new StreamableHTTPClientTransport(url, { authProvider: { token: async () => token } }),
  );
  return client;
}

describe.each(['modern', 'legacy'] as const)('a client of the %s revision', (era) => {
  it('sees the tools and the user it acts for', async () => {
    const client = await connect(await scene.grant({ email: 'alice@acme.example', roles: ['admin'] }), era);
    expect(client.getProtocolEra()).toBe(era);
    const { tools } = await client.listTools();
    expect(tools.map(({ name }) => name)).toEqual(['whoami', 'create_note', 'list_notes', 'delete_note']);
    const { structuredContent, content } = await client.callTool({ name: 'whoami', arguments: {} });
    expect(structuredContent).toEqual({
      subject: 'user_alice',
      identity_provider: 'http://localhost:4002',
      organization_id: 'org_acme',
      email: 'alice@acme.example',
      roles: ['admin'],
      client_id: 'tool-hub',
      scopes: ['mcp:tools:read', 'mcp:tools:call'],
      issuer_chain: [
        { issuer: 'http://localhost:4002', issued: 'ID-JAG' },
        { issuer: 'http://localhost:4003/oauth/token', issued: 'access token' },
      ],
    });
    expect(content).toEqual([{ type: 'text', text: JSON.stringify(structuredContent) }]);
  });

  it('keeps, lists and deletes notes', async () => {
    const client = await connect(await scene.grant(), era);
    const created = await client.callTool({ name: 'create_note', arguments: { text: 'remember' } });
    const note = created.structuredContent as { id: string };
    expect(note).toEqual({
      id: expect.stringMatching(/^note_/),
      text: 'remember',
      created_at: scene.clock().toISOString(),
    });
    const list = async () => (await client.callTool({ name: 'list_notes', arguments: {} })).structuredContent;
    expect(await list()).toEqual({ notes: [note] });
    const deleted = await client.callTool({ name: 'delete_note', arguments: { id: note.id } });
    expect(deleted.structuredContent).toEqual({ deleted: note.id });
    expect(await list()).toEqual({ notes: [] });
  });

  it('cannot read or delete notes of another user, another tenant, or a user with the same name elsewhere', async () => {
    const alice = await connect(await scene.grant(), era);
    const created = await alice.callTool({ name: 'create_note', arguments: { text: "Alice's" } });
    const { id } = created.structuredContent as { id: string };
    const others = [
      await scene.grant({ sub: 'user_bob' }),
      await scene.grant({ iss: 'https://idp.second.example' }),
      await scene.grant({ tenant: 'acme' }),
    ];
    for (const token of others) {
      const other = await connect(token, era);
      expect((await other.callTool({ name: 'list_notes', arguments: {} })).structuredContent).toEqual({
        notes: [],
      });
      const deletion = await other.callTool({ name: 'delete_note', arguments: { id } });
      expect([deletion.isError, deletion.content]).toEqual([
        true,
        [{ type: 'text', text: 'There is no note with this id.' }],
      ]);
    }
    const mine = await alice.callTool({ name: 'list_notes', arguments: {} });
    expect(mine.structuredContent).toMatchObject({ notes: [{ text: "Alice's" }] });
  });

  it('shares its notes with the same user on another client', async () => {
    const first = await connect(await scene.grant(), era);
    await first.callTool({ name: 'create_note', arguments: { text: 'shared' } });
    const token = await scene.forgeAccessToken({ client_id: 'second-client', organization_id: 'org_acme' });
    const second = await connect(token, era);
    const listed = await second.callTool({ name: 'list_notes', arguments: {} });
    expect(listed.structuredContent).toMatchObject({ notes: [{ text: 'shared' }] });
  });

  it.each([
    ['no text', {}],
    ['an empty text', { text: '' }],
    ['a text that is too long', { text: 'x'.repeat(2001) }],
    ['a number', { text: 7 }],
  ])('gets an error for invalid arguments: %s', async (_case, args) => {
    const client = await connect(await scene.grant(), era);
    const result = await client.callTool({ name: 'create_note', arguments: args });
    expect(result.isError).toBe(true);
  });

  it('is refused without the scope of a tool', async () => {
    const client = await connect(await scene.grant({ scope: 'mcp:tools:read' }), era);
    await client.callTool({ name: 'whoami', arguments: {} });
    await expect(client.callTool({ name: 'create_note', arguments: { text: 'x' } })).rejects.toThrow();
    expect((await client.callTool({ name: 'list_notes', arguments: {} })).structuredContent).toEqual({
      notes: [],
    });
  });

  it('is refused with a token for another server', async () => {
    await expect(connect(await scene.idJag(), era)).rejects.toThrow();
  });
});

it('reveals nothing about a failure inside a tool', async () => {
  scene = await createScene({
    notes: {
      create: () => Promise.reject(new Error('connect redis://user:secret@10.0.0.1')),
      list: () => Promise.resolve([]),
      delete: () => Promise.resolve(false),
    },
  });
  server.removeAllListeners('request');
  server.on('request', scene.app);
  const client = await connect(await scene.grant(), 'modern');
  const result = await client.callTool({ name: 'create_note', arguments: { text: 'x' } });
  expect(result).toMatchObject({
    isError: true,
    content: [{ type: 'text', text: 'The tool failed. The failure was logged.' }],
  });
  expect(scene.lines.join()).toContain('tool failed');
});
