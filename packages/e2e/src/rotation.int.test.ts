import { randomBytes, randomUUID } from 'node:crypto';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, expect } from '@jest/globals';
import {
  createBrowser,
  createLegs,
  type Exchange,
  exchange,
  type Legs,
  member,
  type ServiceName,
  type ServiceUrls,
  scene,
  signIn,
  text,
} from '@legate/dev';
import { openRedis } from '@legate/secure-store/testing';
import { eventually, needs } from '@legate/testing';
import { decodeProtectedHeader, type JWK } from 'jose';
import {
  ACCOUNT,
  CLIENT_AT_ACCOUNTS,
  type ConsentingToolServer,
  startConsentingToolServer,
} from './consenting-tool-server.ts';
import { startLoad } from './load.ts';
import { createSigningKey, jwksOf, writeSeedWithoutLimits } from './replica-settings.ts';
import { type ReplicatedStack, startReplicatedStack } from './replicas.ts';

/**
 * Rotates keys and secrets as in docs/operations/rotation.md, while 20 loops call tools with old and new credentials.
 * At a restart, the new process runs beside the old one before the old one stops.
 */

const LOOPS = 20;
const NEW_SECRET = 'the-new-secret-of-the-hub-at-the-tool-server';
const ACCOUNT_SECRETS = {
  old: 'the-first-secret-where-users-connect',
  next: 'the-next-secret-where-users-connect',
};
/** Nothing listens there: the browser stops before following this redirect. */
const RETURN_TO = 'http://127.0.0.1:5173/connected';
const { TOOL_SERVER_CLIENTS, USERS, CONNECTOR, IDP_ADMIN_KEY, IDP_CLIENTS, PASSWORD } = scene;

let replicated: ReplicatedStack;
const { it, path } = needs('night', 'Redis');

let redis: Awaited<ReturnType<typeof openRedis>>;
let urls: ServiceUrls;
let legs: Legs;
let apiToken: string;
/** Issued before any rotation */
let idToken: string;
let bobIdToken: string;
let toolToken: string;
let session: string | undefined;
/** Where Alice has connected an account, which requires a persistent store */
let accounts: ConsentingToolServer | undefined;
let accountsConnector: string;
/** The hub's secret at the tool server */
let secret: string = TOOL_SERVER_CLIENTS.hub.secret;

let signing: { hub: JWK; toolServer: JWK };
let storeKey: string;

beforeAll(async () => {
  redis = await openRedis(path.Redis);
  signing = { hub: await createSigningKey('ES256'), toolServer: await createSigningKey('ES256') };
  storeKey = createStoreKey('old');
  replicated = await startReplicatedStack(async (directory) => ({
    'mock-idp': { count: 1, env: {} },
    console: { count: 1, env: {} },
    'management-api': { count: 1, env: { SEED_FILE: await writeSeedWithoutLimits(directory) } },
    'reference-mcp-server': {
      count: 1,
      env: {
        SIGNING_KEYS: jwksOf(signing.toolServer),
        CLIENTS_FILE: await writeClients(directory, [TOOL_SERVER_CLIENTS.hub.secret, NEW_SECRET]),
      },
    },
    'tool-hub': {
      count: 1,
      env: {
        ...{ SIGNING_KEYS: jwksOf(signing.hub), ENCRYPTION_KEYS: storeKey, RETURN_TO },
        REDIS_URL: redis.url,
        REDIS_KEY_PREFIX: `e2e-${randomUUID()}:`,
        REDIS_COMMAND_TIMEOUT_MS: '5000', // a busy machine must not count as an outage of Redis
      },
    },
  }));

  urls = replicated.urls;
  legs = createLegs(urls);
  const issuer = urls['mock-idp'];
  const resource = urls['management-api'];
  const scope = 'openid offline_access';
  const alice = await signIn({ issuer, email: USERS.alice.email, scope });
  idToken = alice.idToken;
  bobIdToken = (await signIn({ issuer, email: USERS.bob.email })).idToken;
  apiToken = (await signIn({ issuer, email: USERS.alice.email, resource })).accessToken;
  toolToken = text((await redeemed(idToken)).answer, 'access_token');
  await connectAccount(); // before the hub reads the connectors, which it caches for 30 seconds
  const opened = await exchange(
    'POST',
    `${urls['tool-hub']}/api/v1/sessions`,
    { json: { refresh_token: alice.refreshToken } },
    { Authorization: `Bearer ${idToken}` },
  );
  session = text(opened.answer, 'session');
});

/** Acts as the administrator, the application and the browser */
async function connectAccount(): Promise<void> {
  const server = await startConsentingToolServer([ACCOUNT_SECRETS.old]);
  accounts = server;
  const created = await atManagementApi('POST', '/connectors', {
    ...{ name: 'Accounts', resource_url: server.url, auth_method: 'id-jag', fallback: ['oauth-pkce'] },
    ...{ client_id: CLIENT_AT_ACCOUNTS, secret: ACCOUNT_SECRETS.old, scopes: ['tools'] },
  });
  accountsConnector = text(created.answer, 'id');
  const begun = await exchange(
    'POST',
    `${urls['tool-hub']}/api/v1/connectors/${accountsConnector}/connections`,
    { json: { return_to: RETURN_TO } },
    { Authorization: `Bearer ${idToken}` },
  );
  const link = text(begun.answer, 'authorize_url');
  const back = await createBrowser().signIn(link, RETURN_TO, USERS.alice.email, PASSWORD);
  expect(back.searchParams.get('connected')).toBe('true');
}

afterAll(async () => {
  await accounts?.stop();
  await replicated?.close();
  await redis?.remove();
});

it("the identity provider's signing key", async () => {
  const before = kidOf(await mintIdToken());
  await expectNoFailure(async () => {
    await admin('/keys/rotate', {});
  });
  expect(kidOf(await mintIdToken())).not.toBe(before);
});

it("a tool server's signing key, and the hub's for transaction tokens", async () => {
  const next = { hub: await createSigningKey('ES256'), toolServer: await createSigningKey('ES256') };
  await expectNoFailure(async () => {
    await Promise.all([
      roll('reference-mcp-server', { SIGNING_KEYS: jwksOf(signing.toolServer, next.toolServer) }),
      roll('tool-hub', { SIGNING_KEYS: jwksOf(signing.hub, next.hub) }),
    ]);
    await Promise.all([
      roll('reference-mcp-server', { SIGNING_KEYS: jwksOf(next.toolServer, signing.toolServer) }),
      roll('tool-hub', { SIGNING_KEYS: jwksOf(next.hub, signing.hub) }),
    ]);
  });
  expect(kidOf(text((await redeemed(idToken)).answer, 'access_token'))).toBe(next.toolServer.kid);
});

it('the key of a tool server with a connected account, at once and without notice', async () => {
  await expectNoFailure(async () => {
    await accounts?.replaceKey();
    await accounts?.refreshed(2);
  });
});

it("the key of the hub's store", async () => {
  const next = createStoreKey('new');
  await expectNoFailure(async () => {
    await roll('tool-hub', { ENCRYPTION_KEYS: `${storeKey},${next}` });
    await roll('tool-hub', { ENCRYPTION_KEYS: `${next},${storeKey}` });
    await accounts?.refreshed(2);
  });
  // Tokens that the old key had sealed are still read, and not requested again.
  const { answerHeaders } = await legs.callThroughHub(idToken, 'whoami');
  expect(answerHeaders.get('legate-token-cache')).toBe('hit');
});

it("a connector's secret, through the management API", async () => {
  const change = async () => {
    await setSecret(CONNECTOR, NEW_SECRET);
    secret = NEW_SECRET;
    // From here on the old secret is refused.
    await roll('reference-mcp-server', {
      CLIENTS_FILE: await writeClients(replicated.directory, [NEW_SECRET]),
    });
  };
  await expectNoFailure(change);
});

it("a connector's secret where a user has connected an account", async () => {
  await expectNoFailure(async () => {
    if (!accounts) throw new Error('no account was connected');
    accounts.secrets = [ACCOUNT_SECRETS.old, ACCOUNT_SECRETS.next];
    await setSecret(accountsConnector, ACCOUNT_SECRETS.next);
    // Refreshes do not overlap: after a later one has arrived, no refresh with the old secret is in progress.
    const { refreshes } = accounts;
    await eventually('a refresh with the next secret', () => refreshes.at(-1) === ACCOUNT_SECRETS.next);
    accounts.secrets = [ACCOUNT_SECRETS.next];
    await accounts.refreshed(2);
  });
  expect(accounts?.refreshes.slice(-2)).toEqual([ACCOUNT_SECRETS.next, ACCOUNT_SECRETS.next]);
});

/** Applies load before, during and after a change. */
async function expectNoFailure(change: () => Promise<unknown>): Promise<void> {
  const load = startLoad({
    loops: LOOPS,
    async request(loop, turn) {
      const { status, url, answer } = await callSomehow(loop, turn);
      return status === 200 ? undefined : `${url}: ${status} ${JSON.stringify(answer)}`;
    },
  });
  await load.answers(4 * LOOPS);
  const changed = await change().catch((err: unknown) => err);
  await load.answers(4 * LOOPS);
  const { failures } = await load.stop();
  expect(failures).toEqual([]);
  expect(changed).toBeUndefined();
  expect(accounts?.reused ?? []).toEqual([]);
}

async function callSomehow(loop: number, turn: number): Promise<Exchange> {
  // Only one loop, because a sign-out ends the user's running calls.
  if (loop === 0) {
    await legs.signOutOfHub(bobIdToken);
    bobIdToken = await mintIdToken(USERS.bob.email);
    return legs.callThroughHub(bobIdToken, 'whoami');
  }
  switch ((loop + turn) % 8) {
    case 0:
      return legs.callThroughHub(session ?? idToken, 'whoami');
    case 1:
      return legs.callThroughHub(idToken, 'list_sites');
    case 2:
      return legs.callThroughHub(await mintIdToken(), 'whoami');
    case 3:
      return legs.callTool(toolToken, 'whoami');
    case 4: {
      const { answer } = await redeemed(await mintIdToken());
      return legs.callTool(text(answer, 'access_token'), 'whoami');
    }
    case 5:
      return callWithAccount(session ?? idToken);
    case 6:
      return callWithAccount(await mintIdToken());
    default:
      return atManagementApi('GET', '/sites');
  }
}

/** The tool server must see the connected account, whatever the user's id elsewhere. */
async function callWithAccount(token: string): Promise<Exchange> {
  if (!accounts) return legs.callThroughHub(token, 'whoami');
  const called = await exchange(
    'POST',
    `${urls['tool-hub']}/api/v1/connectors/${accountsConnector}/tools/whoami/call`,
    { json: {} },
    { Authorization: `Bearer ${token}` },
  );
  if (called.status === 200) expect(member(called.answer, 'content', 0, 'text')).toBe(ACCOUNT);
  return called;
}

const atManagementApi = (method: string, path: string, json?: object, headers = {}): Promise<Exchange> =>
  exchange(method, `${urls['management-api']}/api/v1${path}`, json ? { json } : {}, {
    ...{ Authorization: `Bearer ${apiToken}` },
    ...headers,
  });

async function setSecret(connectorId: string, value: string): Promise<void> {
  const { answerHeaders } = await atManagementApi('GET', `/connectors/${connectorId}`);
  const headers = { 'If-Match': answerHeaders.get('ETag') ?? '' };
  const { status } = await atManagementApi('PATCH', `/connectors/${connectorId}`, { secret: value }, headers);
  expect(status).toBe(200);
}

/** Legs 1 and 2 */
async function redeemed(subjectToken: string): Promise<Exchange> {
  const { answer } = await legs.exchangeIdToken(subjectToken);
  return legs.redeemAssertion(text(answer, 'access_token'), { id: TOOL_SERVER_CLIENTS.hub.id, secret });
}

async function admin(path: string, json: unknown): Promise<Exchange> {
  const authorization = { Authorization: `Bearer ${IDP_ADMIN_KEY}` };
  return exchange('POST', `${urls['mock-idp']}/admin${path}`, { json }, authorization);
}

async function mintIdToken(email: string = USERS.alice.email): Promise<string> {
  const user = { user: email, client_id: IDP_CLIENTS.frontend.id };
  return text((await admin('/id-tokens', user)).answer, 'id_token');
}

const roll = (name: ServiceName, changes: Record<string, string>): Promise<void> =>
  replicated.of(name).roll(changes);

async function writeClients(directory: string, secrets: readonly string[]): Promise<string> {
  const path = join(directory, `clients-${secrets.length}.json`);
  await writeFile(path, JSON.stringify({ clients: [{ client_id: TOOL_SERVER_CLIENTS.hub.id, secrets }] }));
  return path;
}

const createStoreKey = (id: string): string => `${id}:${randomBytes(32).toString('base64')}`;

const kidOf = (jwt: string): string | undefined => decodeProtectedHeader(jwt).kid;
