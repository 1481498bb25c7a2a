import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer, type Server } from 'node:https';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect } from '@jest/globals';
import { ROOT, scene } from '@legate/dev';
import { createTestCa } from '@legate/service/testing';
import { needs } from '@legate/testing';
import { type StackUnderTest, startStackUnderTest } from '../stack-under-test.ts';
import { MemoryProvider, SDKS, signInThrough } from './sdks.ts';

const { describe, it } = needs('time');

/**
 * Tests clients that identify themselves by a metadata document at their own https URL, as Claude Code and VS Code do.
 */

let stack: StackUnderTest;
let host: Server;
let documentUrl: string;
let reads = 0;
let directory: string;

beforeAll(async () => {
  const ca = await createTestCa();
  const { certificate, privateKey } = await ca.issue('documents');
  directory = await mkdtemp(join(tmpdir(), 'legate-e2e-ca-'));
  const caFile = join(directory, 'ca.pem');
  await writeFile(caFile, ca.certificate);
  host = createServer({ cert: certificate, key: privateKey }, (req, res) => {
    reads += 1;
    res.setHeader('Content-Type', 'application/json').end(
      JSON.stringify({
        client_id: documentUrl,
        client_name: 'An editor',
        redirect_uris: ['http://localhost/oauth/callback', 'vscode://nobody/knows'],
        grant_types: ['authorization_code', 'refresh_token', 'urn:ietf:params:oauth:grant-type:device_code'],
        token_endpoint_auth_method: 'none',
        asked_at: req.url,
      }),
    );
  });
  await new Promise<void>((resolve) => host.listen(0, '127.0.0.1', resolve));
  documentUrl = `https://localhost:${(host.address() as AddressInfo).port}/oauth/client.json`;
  stack = await startStackUnderTest({
    services: ['mock-idp', 'reference-mcp-server', 'tool-hub'],
    env: {
      'tool-hub': {
        CONNECTORS_FILE: `${ROOT}infra/development/connectors.json`,
        MANAGEMENT_API_URL: '',
        NODE_EXTRA_CA_CERTS: caFile,
        CLIENT_REGISTRATION: 'documents',
      },
    },
  });
});
afterAll(async () => {
  await stack?.stop();
  host?.close();
  await rm(directory, { recursive: true, force: true });
});

const mcpUrl = () => new URL(`${stack.urls['tool-hub']}/mcp`);

describe.each(SDKS)('a client of the official SDK, version %s, with a document', (_version, sdk) => {
  it('signs its user in with only the URL of the document', async () => {
    const provider = new MemoryProvider(undefined, documentUrl);
    await expect(sdk.open(mcpUrl(), provider)).rejects.toBeInstanceOf(sdk.Unauthorized);
    expect(new URL(provider.authorizationUrl).searchParams.get('client_id')).toBe(documentUrl);
    await signInThrough(sdk, mcpUrl(), provider, scene.USERS.alice.email);
    provider.forgetAccessToken(); // so that the client refreshes
    const client = await sdk.open(mcpUrl(), provider);
    const { tools } = await client.listTools();
    const name = tools.find((tool) => tool.name.endsWith('whoami'))?.name ?? '';
    expect(JSON.stringify(await client.callTool({ name, arguments: {} }))).toContain('user_alice');
    await client.close();
    expect(reads).toBe(1); // the document is cached
  });
});
