import { randomUUID } from 'node:crypto';
import { afterEach, beforeEach, expect, it } from '@jest/globals';
import { type Backend, connectRedis, createRedisBackend } from '@legate/secure-store';
import type { Redis } from 'ioredis';
import request from 'supertest';
import { createScene, type Scene } from './testing/scene.ts';

/** Redis if a test server is configured, otherwise the store in memory; the test reads its entries directly. */
const url = process.env.TEST_REDIS_URL;

let redis: Redis | undefined;
let scene: Scene;
let everything: () => Promise<{ key: string; value: Buffer; ttlSeconds: number }[]>;

beforeEach(async () => {
  const keyPrefix = `test-${randomUUID()}:`;
  redis = url
    ? await connectRedis(url, {
        keyPrefix,
        commandTimeoutMs: 5000,
        onError: (err) => {
          throw err;
        },
      })
    : undefined;
  const connection = redis;
  scene = await createScene(connection ? { backend: (): Backend => createRedisBackend(connection) } : {});
  everything = async () =>
    connection
      ? readRedis(connection, keyPrefix)
      : [...scene.entries].map(([key, { value, ttlSeconds }]) => ({ key, value, ttlSeconds }));
});

afterEach(async () => {
  if (redis) {
    for (const { key } of await everything()) await redis.del(key);
    redis.disconnect();
  }
  await scene.stop();
});

async function readRedis(connection: Redis, keyPrefix: string) {
  const keys: string[] = [];
  let cursor = '0';
  do {
    const [next, found] = await connection.scan(cursor, 'MATCH', `${keyPrefix}*`, 'COUNT', 100);
    keys.push(...found);
    cursor = next;
  } while (cursor !== '0');
  return Promise.all(
    keys.map(async (found) => {
      const key = found.slice(keyPrefix.length);
      return {
        key,
        value: (await connection.getBuffer(key)) ?? Buffer.alloc(0),
        ttlSeconds: await connection.ttl(key),
      };
    }),
  );
}

const tokenEntries = async () => (await everything()).filter(({ key }) => key.startsWith('token:'));

const call = (token: string) =>
  request(scene.app)
    .post('/api/v1/connectors/con_tools/tools/whoami/call')
    .set('Authorization', `Bearer ${token}`)
    .send({});

it('holds exactly one entry for each user and connector, with the specified key and lifetime', async () => {
  await call(await scene.idTokenOf('user_alice'));
  await call(await scene.idTokenOf('user_bob'));
  const entries = (await tokenEntries()).sort((a, b) => a.key.localeCompare(b.key));
  expect(entries.map(({ key }) => key)).toEqual([
    'token:org_acme:con_tools:user_alice',
    'token:org_acme:con_tools:user_bob',
  ]);
  for (const { ttlSeconds } of entries) {
    expect(ttlSeconds).toBeGreaterThan(3290);
    expect(ttlSeconds).toBeLessThanOrEqual(3300);
  }
});

it('holds nothing in plain text', async () => {
  const alice = await scene.idTokenOf('user_alice');
  expect((await call(alice)).status).toBe(200);
  const entries = await everything();
  expect((await tokenEntries()).length).toBe(1);
  const text = entries.map(({ value }) => value.toString('latin1')).join('\n');
  const tokens = [...scene.idp.issued, ...scene.toolServer.issued];
  expect(tokens.length).toBeGreaterThanOrEqual(3);
  const readable = tokens.flatMap((token) => [
    token,
    ...token.split('.'),
    Buffer.from(token).toString('base64'),
  ]);
  for (const part of [...readable, 'access_token', 'scopes', 'mcp:tools', 'eyJ'])
    expect(text.includes(part)).toBe(false);
  expect((await call(alice)).get('Legate-Token-Cache')).toBe('hit');
});

it("does not return an entry for another user's key", async () => {
  const bob = await scene.idTokenOf('user_bob');
  await call(await scene.idTokenOf('user_alice'));
  const [ofAlice] = await tokenEntries();
  await scene.backend.set('token:org_acme:con_tools:user_bob', ofAlice?.value ?? Buffer.alloc(0), 3600);
  const res = await call(bob);
  expect([res.get('Legate-Token-Cache'), res.body.content[0].text]).toEqual(['miss', 'user_bob']);
});

it('has no data of the caller after a sign-out', async () => {
  const alice = await scene.idTokenOf('user_alice');
  await call(alice);
  await call(await scene.idTokenOf('user_bob'));
  await request(scene.app).delete('/api/v1/tokens').set('Authorization', `Bearer ${alice}`);
  const tokens = (await everything()).map(({ key }) => key).filter((key) => key.startsWith('token:'));
  expect(tokens).toEqual(['token:org_acme:con_tools:user_bob']);
});
