import { randomBytes, randomUUID } from 'node:crypto';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import {
  createLegs,
  type Exchange,
  exchange,
  type Legs,
  type ServiceName,
  type ServiceUrls,
  scene,
  signIn,
  text,
} from '@legate/dev';
import { findRedisServer, type RedisProcess, startRedisProcess } from '@legate/secure-store/testing';
import { decodeProtectedHeader, type JWK } from 'jose';
import { startLoad } from './load.ts';
import { createSigningKey, jwksOf, writeSeedWithoutLimits } from './replica-settings.ts';
import { type ReplicatedStack, startReplicatedStack } from './replicas.ts';

/**
 * Keys and secrets change as docs/operations/rotation.md says, while 20 loops call tools with what was made before and
 * with what is made meanwhile. Where a restart is needed, the new process serves beside the old one before that stops.
 */

const LOOPS = 20;
const NEW_SECRET = 'the-new-secret-of-the-hub-at-the-tool-server';
const { TOOL_SERVER_CLIENTS, USERS, CONNECTOR, IDP_ADMIN_KEY, IDP_CLIENTS } = scene;

let replicated: ReplicatedStack;
const givenRedis = process.env.TEST_REDIS_URL || undefined;
const redisServer = givenRedis ? undefined : findRedisServer();

let redis: RedisProcess | undefined;
let urls: ServiceUrls;
let legs: Legs;
let apiToken: string;
/** What was made before any rotation */
let idToken: string;
let bobIdToken: string;
let toolToken: string;
let session: string | undefined;
/** What the hub has at the tool server */
let secret: string = TOOL_SERVER_CLIENTS.hub.secret;

let signing: { hub: JWK; toolServer: JWK };
let storeKey: string;

beforeAll(async () => {
  if (redisServer) redis = await startRedisProcess(redisServer, ['--save', '']);
  const redisUrl = givenRedis ?? redis?.url;
  signing = { hub: await createSigningKey('ES256'), toolServer: await createSigningKey('ES256') };
  storeKey = createStoreKey('old');
  replicated = await startReplicatedStack(async (directory) => ({
    'mock-idp': { count: 1, env: {} },
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
        ...{ SIGNING_KEYS: jwksOf(signing.hub), ENCRYPTION_KEYS: storeKey },
        ...(redisUrl && {
          REDIS_URL: redisUrl,
          REDIS_KEY_PREFIX: `e2e-${randomUUID()}:`,
          REDIS_COMMAND_TIMEOUT_MS: '5000', // a machine that is busy with other tests is no outage
        }),
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
  if (redisUrl) {
    const opened = await exchange(
      'POST',
      `${urls['tool-hub']}/api/v1/sessions`,
      { json: { refresh_token: alice.refreshToken } },
      { Authorization: `Bearer ${idToken}` },
    );
    session = text(opened.answer, 'session');
  }
}, 120_000);

afterAll(async () => {
  await replicated?.close();
  await redis?.remove();
}, 60_000);

it("the identity provider's signing key", async () => {
  const before = kidOf(await mintIdToken());
  await expectNoFailure(async () => {
    await admin('/keys/rotate', {});
  });
  expect(kidOf(await mintIdToken())).not.toBe(before);
}, 60_000);

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
}, 60_000);

(givenRedis || redisServer ? it : it.skip)(
  "the key of the hub's store",
  async () => {
    const next = createStoreKey('new');
    await expectNoFailure(async () => {
      await roll('tool-hub', { ENCRYPTION_KEYS: `${storeKey},${next}` });
      await roll('tool-hub', { ENCRYPTION_KEYS: `${next},${storeKey}` });
    });
    // What the old key had sealed is read, and not fetched anew.
    const { answerHeaders } = await legs.callThroughHub(idToken, 'whoami');
    expect(answerHeaders.get('legate-token-cache')).toBe('hit');
  },
  60_000,
);

it("a connector's secret, through the management API", async () => {
  const change = async () => {
    const { status } = await exchange(
      'PATCH',
      `${urls['management-api']}/api/v1/connectors/${CONNECTOR}`,
      { json: { secret: NEW_SECRET } },
      { Authorization: `Bearer ${apiToken}` },
    );
    expect(status).toBe(200);
    secret = NEW_SECRET;
    // From here on nobody gets in with the old one.
    await roll('reference-mcp-server', {
      CLIENTS_FILE: await writeClients(replicated.directory, [NEW_SECRET]),
    });
  };
  await expectNoFailure(change);
}, 60_000);

/** Load before, while and after something changes. */
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
  expect(changed).toBeUndefined();
  expect(failures).toEqual([]);
}

async function callSomehow(loop: number, turn: number): Promise<Exchange> {
  // One loop alone: who signs out ends what is under way for that user.
  if (loop === 0) {
    await legs.signOutOfHub(bobIdToken);
    return legs.callThroughHub(bobIdToken, 'whoami');
  }
  switch ((loop + turn) % 6) {
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
    default:
      return exchange(
        'GET',
        `${urls['management-api']}/api/v1/sites`,
        {},
        { Authorization: `Bearer ${apiToken}` },
      );
  }
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

async function mintIdToken(): Promise<string> {
  const user = { user: USERS.alice.email, client_id: IDP_CLIENTS.frontend.id };
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
