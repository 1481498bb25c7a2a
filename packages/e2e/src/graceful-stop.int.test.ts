import { afterAll, beforeAll, expect } from '@jest/globals';
import {
  createLegs,
  type Exchange,
  exchange,
  type Legs,
  SERVICE_NAMES,
  type ServiceName,
  scene,
  signIn,
  text,
} from '@legate/dev';
import { needs } from '@legate/testing';
import { startLoad } from './load.ts';
import { createSigningKey, jwksOf, writeSeedWithoutLimits } from './replica-settings.ts';
import { type ReplicatedStack, startReplicatedStack } from './replicas.ts';

/** Tests two replicas of each service behind a load balancer without retries; one is stopped during requests. */

const { it } = needs('night');
const LOOPS = 20;
/**
 * `SHUTDOWN_DELAY_SECONDS` of the replicas, the time limit of running requests, and the time limit for closing the
 * stores
 */
const DEADLINE_SECONDS = 1 + 10 + 5;

let replicated: ReplicatedStack;
let legs: Legs;
let idToken: string;
let requests: Record<ServiceName, (turn: number) => Promise<Exchange>>;

beforeAll(async () => {
  replicated = await startReplicatedStack(async (directory) => ({
    // One replica at first: with embedded stores, only the process of the sign-in knows its session.
    'mock-idp': { count: 1, env: { SIGNING_KEYS: jwksOf(await createSigningKey('RS256')) } },
    'reference-mcp-server': { count: 2, env: { SIGNING_KEYS: jwksOf(await createSigningKey('ES256')) } },
    'tool-hub': { count: 2, env: { SIGNING_KEYS: jwksOf(await createSigningKey('ES256')) } },
    'management-api': { count: 2, env: { SEED_FILE: await writeSeedWithoutLimits(directory) } },
    console: { count: 2, env: {} },
  }));

  const { urls } = replicated;
  legs = createLegs(urls);
  const { email } = scene.USERS.alice;
  const resource = urls['management-api'];
  const signedIn = await signIn({ issuer: urls['mock-idp'], email, resource });
  idToken = signedIn.idToken;
  await replicated.of('mock-idp').start();
  const redeem = async () => {
    const { answer } = await legs.exchangeIdToken(idToken);
    return legs.redeemAssertion(text(answer, 'access_token'));
  };
  const toolToken = text((await redeem()).answer, 'access_token');
  requests = {
    'mock-idp': () => legs.exchangeIdToken(idToken),
    // The second one is slow, because it calls the hub and the management API.
    'reference-mcp-server': (turn) =>
      turn % 2 === 0 ? redeem() : legs.callTool(toolToken, turn % 4 === 1 ? 'whoami' : 'list_sites'),
    'management-api': () =>
      exchange('GET', `${resource}/api/v1/sites`, {}, { Authorization: `Bearer ${signedIn.accessToken}` }),
    'tool-hub': () => legs.callThroughHub(idToken, 'whoami'),
    console: () => exchange('GET', `${urls.console}/config.json`),
  };
});

afterAll(() => replicated?.close());

it.each(SERVICE_NAMES)('%s that stops under load loses no request, and ends with 0 in time', async (name) => {
  const service = replicated.of(name);
  const [leaving] = service.running;
  if (!leaving) throw new Error(`${name} does not run`);
  const load = startLoad({
    loops: LOOPS,
    async request(_loop, turn) {
      const { status, answer } = await requests[name](turn);
      return status === 200 ? undefined : `${status} ${JSON.stringify(answer)}`;
    },
  });
  await load.answers(10 * LOOPS);
  const before = service.balancer.answersOf(leaving.port);
  const { exitCode, seconds } = await service.stop(leaving);
  await load.answers(2 * LOOPS);
  const { answers, failures } = await load.stop();

  expect(failures).toEqual([]);
  expect(exitCode).toBe(0);
  expect(seconds).toBeLessThan(DEADLINE_SECONDS);
  // It had its share until it was told, and there was load all the time.
  expect(before).toBeGreaterThan(2 * LOOPS);
  expect(answers).toBeGreaterThan(12 * LOOPS);
});
