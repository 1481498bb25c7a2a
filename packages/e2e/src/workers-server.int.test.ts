import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { request } from 'node:http';
import { createServer, type Server } from 'node:https';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect } from '@jest/globals';
import { exchange, machineEnvironment, member, scene } from '@legate/dev';
import { createTestCa, findFreePort } from '@legate/service/testing';
import { needs } from '@legate/testing';
import { type ExampleProcess, startExample } from './examples/example-process.ts';
import { freeServicePorts, type StackUnderTest, startStackUnderTest } from './stack-under-test.ts';

const { it } = needs('time');

/**
 * Tests the hub with resource servers that are not ours: @cloudflare/workers-oauth-provider redeems the hub's ID-JAGs. It
 * accepts only https issuers, so mock-idp is behind a server that ends TLS.
 */

const HERE = fileURLToPath(new URL('.', import.meta.url));
const NAMES = ['notes', 'files'] as const;

let directory: string;
let tls: Server;
let workers: ExampleProcess;
let workersUrl: string;
let stack: StackUnderTest;
let idToken: string;

const resourceOf = (name: string) => `${workersUrl}/${name}/mcp`;

/** Starts a server that forwards requests to mock-idp. @returns its URL, and the file of its certificate authority */
async function startTls(port: number): Promise<{ issuer: string; caFile: string }> {
  const ca = await createTestCa();
  const { certificate: cert, privateKey: key } = await ca.issue('identity-provider');
  const caFile = join(directory, 'ca.pem');
  await writeFile(caFile, ca.certificate);
  tls = createServer({ cert, key }, (req, res) => {
    const { method, url: path, headers } = req;
    const forwarded = request({ host: '127.0.0.1', port, method, path, headers }, (answer) => {
      res.writeHead(answer.statusCode ?? 502, answer.rawHeaders);
      answer.pipe(res);
    });
    forwarded.on('error', () => res.destroy());
    req.pipe(forwarded);
  });
  await new Promise<void>((resolve) => tls.listen(0, '127.0.0.1', resolve));
  return { issuer: `https://localhost:${(tls.address() as AddressInfo).port}`, caFile };
}

/** Signs Alice in, in a process that trusts the certificate authority. */
async function signInAt(issuer: string, caFile: string): Promise<string> {
  const program = `import { signIn } from '@legate/dev';
    console.log((await signIn(${JSON.stringify({ issuer, email: scene.USERS.alice.email })})).idToken);`;
  const { stdout } = await promisify(execFile)(process.execPath, ['--input-type=module', '-e', program], {
    cwd: HERE,
    env: { ...machineEnvironment(), NODE_EXTRA_CA_CERTS: caFile },
  });
  return stdout.trim();
}

beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'legate-workers-'));
  const ports = await freeServicePorts();
  const { issuer, caFile } = await startTls(ports['mock-idp']);
  const port = await findFreePort();
  workersUrl = `http://localhost:${port}`;
  workers = startExample(
    HERE,
    { PORT: String(port), ISSUER: issuer, NODE_EXTRA_CA_CERTS: caFile },
    { command: [process.execPath, 'workers-server.mjs'] },
  );
  await workers.says('clientSecret');
  const { clientId, clientSecret } = JSON.parse(/^\{.*\}$/m.exec(workers.output())?.[0] ?? '{}');

  const connectors = NAMES.map((name) => ({
    ...{ id: name, name, organization_ids: ['org_acme'], resource: resourceOf(name), auth_method: 'id-jag' },
    ...{ client_id: clientId, client_secret: clientSecret, scopes: [`${name}:read`] },
  }));
  const connectorsFile = join(directory, 'connectors.json');
  await writeFile(connectorsFile, JSON.stringify({ connectors }));
  stack = await startStackUnderTest({
    ports,
    services: ['mock-idp', 'tool-hub'],
    env: {
      'mock-idp': { IDP_ISSUER: issuer },
      'tool-hub': {
        ...{ IDP_ISSUER: issuer, NODE_EXTRA_CA_CERTS: caFile },
        ...{ CONNECTORS_FILE: connectorsFile, MANAGEMENT_API_URL: '' },
      },
    },
  });
  for (const name of NAMES) {
    const json = {
      ...{ accepts: 'id_jag', resource: resourceOf(name), issuer: workersUrl, scopes: [`${name}:read`] },
      clients: { [scene.IDP_CLIENTS.hub.id]: { client_id: clientId } },
    };
    const { status } = await exchange(
      'POST',
      `${stack.urls['mock-idp']}/admin/resource-servers`,
      { json },
      { Authorization: `Bearer ${scene.IDP_ADMIN_KEY}` },
    );
    expect(status).toBe(201);
  }
  idToken = await signInAt(issuer, caFile);
});

afterAll(async () => {
  await stack?.stop();
  await workers?.stop();
  tls?.close();
  if (directory) await rm(directory, { recursive: true, force: true });
});

const atHub = (path: string) =>
  exchange(
    'POST',
    `${stack.urls['tool-hub']}/api/v1/connectors/${path}`,
    { json: {} },
    { Authorization: `Bearer ${idToken}` },
  );

/** The forms of all token requests so far */
const received = async () =>
  (await exchange('GET', `${workersUrl}/received`, {}, {})).answer as Record<string, string>[];

it.each(NAMES)('calls a tool of %s as the user, with a token for this resource of the two', async (name) => {
  const { status, answer } = await atHub(`${name}/tools/whoami/call`);
  expect([status, member(answer, 'structuredContent')]).toEqual([
    200,
    { subject: 'user_alice', resource: resourceOf(name), scope: `${name}:read` },
  ]);
  expect((await received()).at(-1)).toMatchObject({ resource: resourceOf(name), scope: `${name}:read` });
});

it('passes every check of the doctor', async () => {
  const { status, answer } = await atHub('notes/doctor');
  expect([status, member(answer, 'first_fault')]).toEqual([200, null]);
});

it.each([
  ['the same request a second time', {}, 'invalid_grant'],
  ['a request without a resource', { resource: undefined }, 'invalid_target'],
  ['a request for an unknown resource', { resource: 'https://evil.example' }, 'invalid_target'],
])('redeems with what the hub has sent, and refuses %s', async (_case, change, error) => {
  const sent: Record<string, string | undefined> = { ...(await received())[0], ...change };
  const form = Object.fromEntries(
    Object.entries(sent).flatMap(([name, value]) => (value ? [[name, value]] : [])),
  );
  const refused = await exchange('POST', `${workersUrl}/oauth/token`, { form }, {});
  expect([refused.status, member(refused.answer, 'error')]).toEqual([400, error]);
});
