import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import { createRequire } from 'node:module';
import type { AddressInfo } from 'node:net';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { createSigningKeys } from '@legate/jwt';
import { eventually, START_UP_MS } from '@legate/testing';
import express from 'express';
import request from 'supertest';
import { createToolServer, type ToolServer } from './index.ts';

/** The folder of the examples. It is within the package, so that they import the built package by its name. */
const FOLDER = fileURLToPath(new URL('../test-results/readme/', import.meta.url));
const README = readFileSync(new URL('../README.md', import.meta.url), 'utf8');
const EXAMPLES = [...README.matchAll(/^```ts\n(.*?)^```/gms)].map(([, text = '']) => text);

/** Returns the path of the compiled example that exports this function. */
const exampleWith = (name: string): string =>
  `${FOLDER}out/example-${EXAMPLES.findIndex((text) => text.includes(`export function ${name}`))}.js`;

const MCP_SERVER = `
import { callerOf } from '@legate/tool-server';
import { createMcpHandler, McpServer } from '@modelcontextprotocol/server';
import { z } from 'zod';

export const mcp = createMcpHandler(({ authInfo }) => {
  const server = new McpServer({ name: 'notes', version: '1' });
  server.registerTool('whoami', { inputSchema: z.object({}) }, () => ({
    content: [{ type: 'text', text: callerOf(authInfo).sub }],
  }));
  return server;
});
`;
const TSCONFIG = {
  extends: '../../../../tsconfig.base.json',
  compilerOptions: {
    rootDir: '.',
    outDir: 'out',
    incremental: false,
    rewriteRelativeImportExtensions: false,
  },
};

beforeAll(() => {
  rmSync(FOLDER, { recursive: true, force: true });
  mkdirSync(FOLDER, { recursive: true });
  writeFileSync(`${FOLDER}my-mcp-server.ts`, MCP_SERVER);
  for (const [index, text] of EXAMPLES.entries()) writeFileSync(`${FOLDER}example-${index}.ts`, text);
  writeFileSync(`${FOLDER}tsconfig.json`, JSON.stringify(TSCONFIG));
  const require = createRequire(import.meta.url);
  const tsc = fileURLToPath(new URL('bin/tsc', `file://${require.resolve('typescript/package.json')}`));
  try {
    execFileSync(process.execPath, [tsc, '-p', FOLDER], { encoding: 'utf8' });
  } catch (err) {
    throw new Error((err as { stdout?: string }).stdout);
  }
});

it('has examples that compile', () => {
  expect(EXAMPLES).toHaveLength(9);
});

it('creates an application of the tool server in each framework', async () => {
  const toolServer = await createToolServer({
    ...{ resource: 'https://tools.example', trustedIssuers: [], scopes: ['notes:read'] },
    clients: [{ clientId: 'tool-hub', secret: 'a-secret' }],
    log: { info() {}, warn() {}, error() {} },
  });
  for (const index of [1, 2, 3, 4]) {
    const { createApp }: { createApp: (toolServer: ToolServer) => unknown } = await import(
      `${FOLDER}out/example-${index}.js`
    );
    expect(await createApp(toolServer)).toBeDefined();
  }
});

describe('the scope of one tool, with version 1 of the MCP SDK', () => {
  const call = (name: string) => ({ jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name } });

  it.each<[string, number, string, unknown, string]>([
    ['asks a caller without it for the scope', 403, 'notes:read', call('create_note'), 'application/json'],
    ['also in a batch', 403, 'notes:read', [call('list_notes'), call('create_note')], 'application/json'],
    ['also in a body of another type', 403, 'notes:read', call('create_note'), 'text/plain'],
    ['admits a caller who has it', 200, 'notes:read notes:write', call('create_note'), 'application/json'],
    ['is not needed for another tool', 200, 'notes:read', call('list_notes'), 'application/json'],
  ])('%s', async (_case, status, scope, body, type) => {
    const resource = 'https://tools.example';
    const now = 1_790_000_000;
    const clock = () => new Date(now * 1000);
    const signingKeys = await createSigningKeys({ alg: 'ES256', clock });
    const toolServer = await createToolServer({
      ...{ resource, trustedIssuers: [], scopes: ['notes:read', 'notes:write'] },
      ...{ signingKeys, clock },
      clients: [{ clientId: 'tool-hub', secret: 'a-secret' }],
      log: { info() {}, warn() {}, error() {} },
    });
    const token = await signingKeys.sign(
      {
        ...{ iss: toolServer.endpoints.token, aud: resource, sub: 'user_alice', client_id: 'tool-hub' },
        ...{ scope, jti: 'one', iat: now, exp: now + 300 },
      },
      { typ: 'at+jwt' },
    );
    const { requireScopesOfTools } = await import(exampleWith('requireScopesOfTools'));
    const app = express();
    app.post('/mcp', requireScopesOfTools(toolServer), (_req, res) => void res.json({}));
    const res = await request(app)
      .post('/mcp')
      .set({ Authorization: `Bearer ${token}`, 'Content-Type': type })
      .send(JSON.stringify(body));
    expect(res.status).toBe(status);
    if (status === 403) expect(res.headers['www-authenticate']).toContain('scope="notes:write"');
  });
});

// The test below runs the first example of the README unchanged, except for its URLs and port.
let child: ChildProcess | undefined;
let idp: Server | undefined;
afterAll(async () => {
  const ended = new Promise((resolve) => (child ? child.once('exit', resolve) : resolve(undefined)));
  child?.kill();
  await ended;
  idp?.closeAllConnections();
  await new Promise((resolve) => (idp ? idp.close(resolve) : resolve(undefined)));
});

it('begins with ten lines that are a tool server', async () => {
  const clock = () => new Date();
  const keys = await createSigningKeys({ alg: 'ES256', clock });
  let issuer = '';
  idp = createServer((req, res) =>
    res.end(JSON.stringify(req.url === '/jwks' ? keys.publicJwks() : { issuer, jwks_uri: `${issuer}/jwks` })),
  );
  issuer = `http://127.0.0.1:${await listenOnce(idp)}`;
  const free = createServer();
  const port = await listenOnce(free);
  await new Promise((resolve) => free.close(resolve));
  const resource = `http://127.0.0.1:${port}`;

  const text = readFileSync(`${FOLDER}out/example-0.js`, 'utf8')
    .replace('https://tools.example', resource)
    .replace('https://idp.example', issuer)
    .replace('port: 8080', `port: ${port}`);
  writeFileSync(`${FOLDER}out/ten-lines.js`, text);
  child = spawn(process.execPath, [`${FOLDER}out/ten-lines.js`], {
    env: { ...process.env, NODE_ENV: 'development', HUB_SECRET: 'the-secret-of-the-hub' },
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  const warnings = await untilAnswers(child, `${resource}/.well-known/oauth-protected-resource`);
  expect(warnings).toContain('signingKeys is not set');

  const now = Math.floor(Date.now() / 1000);
  const assertion = await keys.sign(
    {
      ...{ iss: issuer, aud: resource, sub: 'alice', client_id: 'tool-hub', jti: 'one' },
      ...{ iat: now, exp: now + 300, scope: 'notes:read' },
    },
    { typ: 'oauth-id-jag+jwt' },
  );
  const redeemed = await fetch(`${resource}/oauth/token`, {
    method: 'POST',
    body: new URLSearchParams({
      ...{ grant_type: 'urn:ietf:params:oauth:grant-type:jwt-bearer', assertion },
      ...{ client_id: 'tool-hub', client_secret: 'the-secret-of-the-hub' },
    }),
  });
  const { access_token } = (await redeemed.json()) as { access_token: string };
  const call = (headers: Record<string, string>) =>
    fetch(`${resource}/mcp`, { ...TOOL_CALL, headers: { ...TOOL_CALL.headers, ...headers } });
  expect((await call({})).status).toBe(401);
  const answer = await call({ Authorization: `Bearer ${access_token}` });
  expect(await answer.json()).toMatchObject({ result: { content: [{ type: 'text', text: 'alice' }] } });
});

const REVISION = '2026-07-28';
const TOOL_CALL = {
  method: 'POST',
  headers: {
    'Content-Type': 'application/json',
    Accept: 'application/json, text/event-stream',
    ...{ 'MCP-Protocol-Version': REVISION, 'Mcp-Method': 'tools/call', 'Mcp-Name': 'whoami' },
  },
  body: JSON.stringify({
    ...{ jsonrpc: '2.0', id: 1, method: 'tools/call' },
    params: {
      ...{ name: 'whoami', arguments: {} },
      _meta: {
        'io.modelcontextprotocol/protocolVersion': REVISION,
        'io.modelcontextprotocol/clientCapabilities': {},
      },
    },
  }),
};

async function listenOnce(server: Server): Promise<number> {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return (server.address() as AddressInfo).port;
}

/** @returns the stderr output of the process, once the process responds */
async function untilAnswers(started: ChildProcess, url: string): Promise<string> {
  let written = '';
  started.stderr?.setEncoding('utf8').on('data', (part) => {
    written += part;
  });
  const isUp = async () => {
    if (started.exitCode !== null) throw new Error(`ended: ${written}`);
    return fetch(url).then(
      ({ ok }) => ok,
      () => false,
    );
  };
  await eventually(`an answer at ${url}`, isUp, { timeoutMs: START_UP_MS });
  return written;
}

it.each([
  ['accepts the linked account', { issuer: 'https://idp.example' }, {}, 'accepted'],
  [
    'refuses the same identifier from another provider',
    { issuer: 'https://idp.other.example' },
    {},
    'refused',
  ],
  ['refuses the same name at another SAML provider', {}, { issuer: 'https://saml.other.example' }, 'refused'],
  [
    'refuses the same name for another application',
    {},
    { sp_name_qualifier: 'https://x.example' },
    'refused',
  ],
  ['refuses a user without one', { subId: undefined }, {}, 'refused'],
])('resolves users of a SAML provider: %s', async (_case, change, subId, decision) => {
  const { resolveUser } = await import(exampleWith('resolveUser'));
  const saml = {
    issuer: 'https://saml.acme.example',
    nameid: 'alice',
    sp_name_qualifier: 'https://tools.example',
  };
  const identity = {
    issuer: 'https://idp.example',
    subId: { format: 'saml-nameid', ...saml, ...subId },
    ...change,
  };
  expect(resolveUser(identity)).toBe(decision);
});
