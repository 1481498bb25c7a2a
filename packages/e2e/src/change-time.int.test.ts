import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { exchange, member, scene, signIn, text } from '@legate/dev';
import { type RedisClusterProcesses, startRedisCluster } from '@legate/secure-store/testing';
import { eventually, needs } from '@legate/testing';
import { openPostgres } from './postgres-process.ts';
import { type ScaledStack, startScaledStack } from './scale-out-stack.ts';

/**
 * Measures how long it takes until two hubs use a connector that an administrator has added. Without a notification
 * they would find it after 30 seconds.
 */

const { describe, path } = needs('night', 'Redis', 'PostgreSQL');
const CHANGES = 50;
const P95_MS = 2000;

let postgres: Awaited<ReturnType<typeof openPostgres>>;
let cluster: RedisClusterProcesses;
let stack: ScaledStack;
let alice: { readonly accessToken: string; readonly idToken: string };

const bearer = (token: string) => ({ Authorization: `Bearer ${token}` });
const api = (method: string, route: string, json?: object) =>
  exchange(
    method,
    `${stack.urls['management-api']}/api/v1${route}`,
    json ? { json } : {},
    bearer(alice.accessToken),
  );

/** Asks one hub for Alice's connectors until this one is among them. */
async function untilListed(hubUrl: string, id: string): Promise<void> {
  const list = async () =>
    member((await exchange('GET', `${hubUrl}/api/v1/connectors`, {}, bearer(alice.idToken))).answer, 'data');
  await eventually(`${id} in the list of ${hubUrl}`, list, {
    until: (listed) => Array.isArray(listed) && listed.some((one) => member(one, 'id') === id),
  });
}

describe('two hubs that have cached an organization', () => {
  beforeAll(async () => {
    cluster = await startRedisCluster(path.Redis, { fullCoverage: false });
    postgres = await openPostgres(path.PostgreSQL);
    await postgres.start();
    stack = await startScaledStack({ databaseUrl: postgres.url, redisUrl: cluster.url });
    const resource = stack.urls['management-api'];
    const issuer = stack.urls['mock-idp'];
    alice = await signIn({ issuer, email: scene.USERS.alice.email, resource });
  });

  afterAll(async () => {
    await stack?.stop();
    await cluster?.remove();
    await postgres?.remove();
  });

  it(`use 95 of 100 new connectors within ${P95_MS} ms`, async () => {
    const hubs = stack.replicas['tool-hub'].map(({ url }) => url);
    const tookMs: number[] = [];
    for (let count = 0; count < CHANGES; count += 1) {
      const startedAt = performance.now();
      const made = await api('POST', '/connectors', {
        name: `Tools ${count}`,
        resource_url: `https://tools-${count}.example`,
        client_id: 'hub',
        secret: 'a-secret-of-the-hub-there',
        scopes: ['read'],
      });
      expect(made.status).toBe(201);
      const id = text(made.answer, 'id');
      await Promise.all(hubs.map((hub) => untilListed(hub, id)));
      tookMs.push(performance.now() - startedAt);
      expect((await api('DELETE', `/connectors/${id}`)).status).toBe(204);
      expect((await api('POST', `/connectors/${id}/purge`)).status).toBe(204);
    }
    tookMs.sort((a, b) => a - b);
    expect(tookMs[Math.ceil(CHANGES * 0.95) - 1]).toBeLessThan(P95_MS);
  }, 300_000);
});
