import { createHash, type KeyObject, randomBytes, randomUUID } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer, type Server } from 'node:https';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect } from '@jest/globals';
import { createBrowser, exchange, member, scene, signIn, text } from '@legate/dev';
import { createTestCa, findFreePort } from '@legate/service/testing';
import { createKeyPair, needs } from '@legate/testing';
import { SignJWT } from 'jose';
import { type StackUnderTest, startStackUnderTest } from './stack-under-test.ts';

const { describe, it } = needs('time');

/**
 * Tests unauthenticated clients that exhaust limits of a hub, each from its own addresses behind a proxy: other
 * clients, new and known, are served meanwhile, even those behind the same address.
 */

let stack: StackUnderTest;
let host: Server;
let hostUrl: string;
let directory: string;
let metricsPort: number;
/** Paths of the documents that the hub has read */
const reads: string[] = [];
const REDIRECT_URI = 'http://localhost:6274/oauth/callback';
const { privateKey, publicKey } = createKeyPair({ namedCurve: 'P-256' });
const LONG = Buffer.alloc(384, 0xff).toString('base64url');

/** Key sets of clients by the beginning of the path of their metadata document */
const KEYS: Readonly<Record<string, object | undefined>> = {
  '/signing': { keys: [{ ...publicKey.export({ format: 'jwk' }), kid: 'good' }] },
  '/costly': { keys: [{ kty: 'RSA', n: LONG, e: LONG }] },
};

beforeAll(async () => {
  const ca = await createTestCa();
  const { certificate, privateKey: key } = await ca.issue('documents');
  directory = await mkdtemp(join(tmpdir(), 'legate-e2e-ca-'));
  const caFile = join(directory, 'ca.pem');
  await writeFile(caFile, ca.certificate);
  host = createServer({ cert: certificate, key }, ({ url = '' }, res) => {
    reads.push(url);
    const jwks = KEYS[url.split('-', 1)[0] ?? ''];
    const method = jwks ? { token_endpoint_auth_method: 'private_key_jwt', jwks } : {};
    const document = { client_id: hostUrl + url, client_name: 'An editor', redirect_uris: [REDIRECT_URI] };
    res.setHeader('Content-Type', 'application/json').end(JSON.stringify({ ...document, ...method }));
  });
  await new Promise<void>((resolve) => host.listen(0, '127.0.0.1', resolve));
  hostUrl = `https://localhost:${(host.address() as AddressInfo).port}`;
  metricsPort = await findFreePort();
  stack = await startStackUnderTest({
    services: ['mock-idp', 'management-api', 'reference-mcp-server', 'tool-hub'],
    env: {
      'tool-hub': { NODE_EXTRA_CA_CERTS: caFile },
      'management-api': { METRICS_PORT: String(metricsPort) },
    },
  });
});
afterAll(async () => {
  await stack?.stop();
  host?.close();
  await rm(directory, { recursive: true, force: true });
});

const hub = (path: string) => `${stack.urls['tool-hub']}${path}`;
const from = (address: string) => ({ 'X-Forwarded-For': address });
const requestToken = (address: string, form: Record<string, string>) =>
  exchange('POST', hub('/oauth/token'), { form }, from(address));

const verifier = randomBytes(32).toString('base64url');
const authorizationUrl = (clientId: string): string => {
  const query = {
    response_type: 'code',
    client_id: clientId,
    redirect_uri: REDIRECT_URI,
    code_challenge: createHash('sha256').update(verifier).digest('base64url'),
    code_challenge_method: 'S256',
  };
  return hub(`/oauth/authorize?${new URLSearchParams(query)}`);
};

async function begin(
  address: string,
  clientId: string,
  headers: Record<string, string> = {},
): Promise<number> {
  const answer = await fetch(authorizationUrl(clientId), {
    headers: { ...from(address), ...headers },
    redirect: 'manual',
  });
  await answer.arrayBuffer();
  return answer.status;
}

type Form = Record<string, string>;
interface Client {
  readonly id: string;
  /** Authenticates the client, once */
  readonly proof: () => Promise<Form>;
  refreshToken: string;
}

async function assertion(clientId: string, key: KeyObject): Promise<Form> {
  const jwt = new SignJWT({ iss: clientId, sub: clientId, aud: stack.urls['tool-hub'], jti: randomUUID() })
    .setProtectedHeader({ alg: 'ES256', kid: 'good' })
    .setIssuedAt()
    .setExpirationTime('1m');
  return {
    client_assertion: await jwt.sign(key),
    client_assertion_type: 'urn:ietf:params:oauth:client-assertion-type:jwt-bearer',
  };
}

/** A user signs in through the client, in a browser at this address. */
async function signInThrough(
  address: string,
  id: string,
  proof: Client['proof'] = async () => ({}),
): Promise<Client> {
  const { email } = scene.USERS.alice;
  const browser = createBrowser(undefined, from(address));
  const callback = await browser.signIn(authorizationUrl(id), REDIRECT_URI, email, scene.PASSWORD);
  const code = callback.searchParams.get('code') ?? '';
  const form = {
    grant_type: 'authorization_code',
    code,
    redirect_uri: REDIRECT_URI,
    code_verifier: verifier,
  };
  const { status, answer } = await requestToken(address, { ...form, client_id: id, ...(await proof()) });
  expect(status).toBe(200);
  return { id, proof, refreshToken: text(answer, 'refresh_token') };
}

/** A refresh, and a call with what it gives */
async function expectServed(address: string, client: Client): Promise<void> {
  const form = { grant_type: 'refresh_token', refresh_token: client.refreshToken, client_id: client.id };
  const { status, answer } = await requestToken(address, { ...form, ...(await client.proof()) });
  expect([status, member(answer, 'error')]).toEqual([200, undefined]);
  client.refreshToken = text(answer, 'refresh_token');
  const call = { jsonrpc: '2.0', id: 1, method: 'tools/list', params: {} };
  const headers = {
    ...from(address),
    Authorization: `Bearer ${text(answer, 'access_token')}`,
    Accept: 'application/json, text/event-stream',
  };
  expect((await exchange('POST', hub('/mcp'), { json: call }, headers)).status).toBe(200);
}

/** @returns the number of requests with each outcome, sent with limited concurrency */
async function flood(
  requests: number,
  send: (number: number) => Promise<unknown>,
): Promise<Map<unknown, number>> {
  const outcomes = new Map<unknown, number>();
  let sent = 0;
  const one = async () => {
    while (sent < requests) {
      sent += 1;
      const outcome = await send(sent);
      outcomes.set(outcome, (outcomes.get(outcome) ?? 0) + 1);
    }
  };
  await Promise.all(Array.from({ length: 10 }, one));
  return outcomes;
}

async function registerAgentClient(): Promise<string> {
  const resource = stack.urls['management-api'];
  const owner = await signIn({ issuer: stack.urls['mock-idp'], email: scene.USERS.alice.email, resource });
  const headers = { Authorization: `Bearer ${owner.accessToken}` };
  const manage = (path: string, json: object) =>
    exchange('POST', `${resource}/api/v1${path}`, { json }, headers);
  const agent = text(
    (await manage('/agents', { name: `Desk ${randomUUID()}`, status: 'active' })).answer,
    'id',
  );
  const { answer } = await manage(`/agents/${agent}/clients`, {
    name: 'Desk',
    redirect_uris: [REDIRECT_URI],
    token_endpoint_auth_method: 'none',
  });
  return text(answer, 'client_id');
}

describe('ids of clients that do not exist', () => {
  const madeUp = () => `lac_0${randomBytes(13).toString('hex').toUpperCase().slice(0, 25)}`;
  const inOneSite = (number: number) => `2001:db8:1:${(number % 256).toString(16)}00::1`;

  /** Requests for clients that management-api has received */
  async function lookUps(): Promise<number> {
    const metrics = await (await fetch(`http://127.0.0.1:${metricsPort}/metrics`)).text();
    const counts = metrics.matchAll(/^http_request_duration_seconds_count\{[^}]*\/clients\/[^}]*\} (\d+)$/gm);
    return [...counts].reduce((sum, [, count]) => sum + Number(count), 0);
  }

  it('cost management-api a bounded number of requests, and new and known clients nothing', async () => {
    const known = await signInThrough('198.51.100.1', await registerAgentClient());
    const fresh = await registerAgentClient();
    const before = await lookUps();
    const form = { grant_type: 'refresh_token', refresh_token: 'lrt_x' };
    await flood(
      500,
      async (number) => (await requestToken(inOneSite(number), { ...form, client_id: madeUp() })).status,
    );
    await flood(500, (number) => begin(inOneSite(number), madeUp()));
    expect(await lookUps()).toBeGreaterThan(before + 100);
    expect(await lookUps()).toBeLessThanOrEqual(before + 500);
    await expectServed('198.51.100.1', known);
    await expectServed('198.51.100.1', await signInThrough('198.51.100.1', fresh));
  });

  it('are not looked up if they have another form', async () => {
    const before = await lookUps();
    const form = { grant_type: 'refresh_token', refresh_token: 'lrt_x' };
    for (const id of ['lac_x', `lac_${'x'.repeat(200)}`, `${madeUp()}0`, madeUp().toLowerCase()])
      expect((await requestToken('198.51.100.9', { ...form, client_id: id })).status).toBe(401);
    expect(await lookUps()).toBe(before);
  });
});

it('a page that sends invalid tokens does not lock out others behind the same address', async () => {
  const office = '203.0.113.10';
  const { answer } = await exchange(
    'POST',
    hub('/oauth/register'),
    { json: { redirect_uris: [REDIRECT_URI], client_name: 'An agent' } },
    from(office),
  );
  const id = text(answer, 'client_id');
  const client = await signInThrough(office, id);
  const nonsense = { grant_type: 'refresh_token', refresh_token: 'lrt_nonsense' };
  await flood(200, async () => (await requestToken(office, { ...nonsense, client_id: id })).status);
  await flood(
    700,
    async (number) => (await requestToken(office, { ...nonsense, client_id: `another ${number}` })).status,
  );
  expect((await flood(100, () => begin(office, id, { 'Sec-Fetch-Dest': 'image' }))).get(403)).toBe(100);
  expect((await flood(400, () => begin(office, 'nonsense'))).get(400)).toBe(400);
  await expectServed(office, client);
  await expectServed(office, await signInThrough(office, id));
  // A tool server at that address: its secret is right, but its request is invalid.
  const exchangeForm = {
    grant_type: 'urn:ietf:params:oauth:grant-type:token-exchange',
    client_id: scene.TRANSACTION_CLIENT.id,
    client_secret: scene.TRANSACTION_CLIENT.secret,
  };
  expect((await requestToken(office, exchangeForm)).status).toBe(400);
});

it('useless token requests are refused although they are signed, and others are served', async () => {
  const [attacker, attacking] = ['203.0.113.20', `${hostUrl}/signing-attacker`];
  const good = await signInThrough(attacker, `${hostUrl}/signing-good`, () =>
    assertion(`${hostUrl}/signing-good`, privateKey),
  );
  await begin(attacker, attacking);
  const useless = { grant_type: 'refresh_token', refresh_token: 'lrt_x', client_id: attacking };
  const outcomes = await flood(
    300,
    async () =>
      (await requestToken(attacker, { ...useless, ...(await assertion(attacking, privateKey)) })).status,
  );
  expect(outcomes.get(400)).toBeGreaterThanOrEqual(100);
  expect(outcomes.get(429)).toBeGreaterThan(100);
  await expectServed(attacker, good);
  await expectServed('198.51.100.20', good);
});

it('a client whose only key is expensive to verify is refused', async () => {
  expect(await begin('203.0.113.21', `${hostUrl}/costly-key`)).toBe(400);
});

it('documents requested from two addresses do not block a new client from a third one', async () => {
  const addressOf = (number: number) => `203.0.113.${30 + (number % 2)}`;
  const known = await signInThrough('198.51.100.30', `${hostUrl}/known`);
  const before = reads.length;
  const form = { grant_type: 'refresh_token', refresh_token: 'lrt_x' };
  const idOf = (number: number) => `${hostUrl}/new-${number}`;
  const tokens = await flood(
    200,
    async (number) => (await requestToken(addressOf(number), { ...form, client_id: idOf(number) })).status,
  );
  expect([tokens.get(401), reads.length]).toEqual([200, before]);
  await flood(400, (number) => begin(addressOf(number), idOf(number)));
  expect(reads.length - before).toBeLessThanOrEqual(240);
  await expectServed('198.51.100.30', known);
  await expectServed('198.51.100.31', await signInThrough('198.51.100.31', `${hostUrl}/brand-new`));
});
