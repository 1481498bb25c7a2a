import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { createAdapterFactory } from '@legate/authorization-server';
import { connectRedis, createRedisBackend, type RedisClient } from '@legate/secure-store';
import { type RedisClusterProcesses, startRedisCluster } from '@legate/secure-store/testing';
import { needs } from '@legate/testing';
import { SCENE } from '../testing/scene.ts';
import { createDirectory } from './directory.ts';
import { createRedisDocuments } from './documents.ts';
import { DirectoryFile, seedDirectory } from './seed.ts';

const { describe, path } = needs('Redis');
const clock = () => new Date();

describe('two replicas on a Redis Cluster', () => {
  let cluster: RedisClusterProcesses;
  let replicas: RedisClient[];
  beforeAll(async () => {
    cluster = await startRedisCluster(path.Redis);
    const onError = (err: Error) => {
      throw err;
    };
    replicas = await Promise.all(
      [1, 2].map(() =>
        connectRedis(cluster.settings, { keyPrefix: 'idp:', commandTimeoutMs: 5000, onError }),
      ),
    );
  });
  afterAll(async () => {
    for (const redis of replicas ?? []) redis.disconnect();
    await cluster?.remove();
  });

  it('share one directory and seed it once, although its documents are on different nodes', async () => {
    const directories = replicas.map((redis) => createDirectory(createRedisDocuments(redis)));
    await Promise.all(
      directories.map((directory) => seedDirectory(directory, DirectoryFile.parse(SCENE), clock)),
    );
    const [one, other] = directories;
    const alice = await one?.findUser('alice@acme.example');
    expect(await other?.findUser('user_alice')).toEqual(alice);
    expect(await other?.clients.list()).toEqual(await one?.clients.list());
    expect((await one?.seeds.list())?.length).toBe(1);
    const kinds = ['users', 'clients', 'organizations', 'memberships', 'policies'];
    const nodes = await Promise.all(kinds.map((kind) => cluster.masterOf(`idp:directory:${kind}`)));
    expect(new Set(nodes).size).toBeGreaterThan(1); // with all documents on one node this test would prove nothing
  });

  it('redeem an authorization code only once between them', async () => {
    const [one, other] = replicas.map((redis) =>
      createAdapterFactory({
        backend: createRedisBackend(redis),
        prefix: 'oidc:',
        clock,
        findClient: async () => undefined,
      })('AuthorizationCode'),
    );
    const exp = Math.floor(Date.now() / 1000) + 60;
    await one?.upsert('the-code', { jti: 'the-code', grantId: 'the-grant', exp }, 60);
    const redemptions = await Promise.allSettled(
      Array.from({ length: 20 }, (_, number) => (number % 2 ? one : other)?.consume('the-code')),
    );
    expect(redemptions.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    await other?.revokeByGrantId('the-grant');
    expect(await one?.find('the-code')).toBeUndefined();
  });
});
