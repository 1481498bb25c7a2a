import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, beforeEach, expect, it } from '@jest/globals';
import { Client, CrossAppAccessProvider, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { createScene, HUB, type Scene } from '../testing/scene.ts';

/** Tests with the ID-JAG client of the MCP SDK, which is given only the URL of the MCP endpoint. */

let server: Server;
let scene: Scene;
let origin: string;

beforeEach(async () => {
  server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  origin = `http://localhost:${(server.address() as AddressInfo).port}`;
  scene = await createScene({ resource: origin });
  server.on('request', scene.app);
});

afterEach(async () => {
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
});

it('follows the challenge and the metadata, redeems an ID-JAG, and calls a tool', async () => {
  const asked: { authorizationServerUrl: string; resourceUrl: string; scope?: string | undefined }[] = [];
  const authProvider = new CrossAppAccessProvider({
    clientId: HUB.client_id,
    clientSecret: HUB.client_secret,
    expectedIssuer: origin,
    assertion: async ({ authorizationServerUrl, resourceUrl, scope }) => {
      asked.push({ authorizationServerUrl, resourceUrl, scope });
      return scene.idJag({ aud: origin, resource: origin, scope });
    },
  });
  const client = new Client({ name: 'test', version: '1' }, { versionNegotiation: { mode: 'auto' } });
  await client.connect(new StreamableHTTPClientTransport(new URL(`${origin}/mcp`), { authProvider }));
  const result = await client.callTool({ name: 'whoami', arguments: {} });
  expect(result.structuredContent).toMatchObject({ subject: 'user_alice', client_id: HUB.client_id });
  expect(client.getProtocolEra()).toBe('modern');
  // URL libraries add a slash to an origin; the URL names the same resource.
  expect(asked.map(({ resourceUrl }) => resourceUrl.replace(/\/$/, ''))).toEqual([origin]);
  expect(asked[0]?.authorizationServerUrl.replace(/\/$/, '')).toBe(origin);
  expect(asked[0]?.scope).toBe('mcp:tools:read mcp:tools:call');
  await client.close();
});
