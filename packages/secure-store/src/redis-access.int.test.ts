import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { needs } from '@legate/testing';
import { openBackend, RedisAccessRefused } from './index.ts';
import { type RedisProcess, startRedisProcess } from './testing/index.ts';

const { describe, path } = needs('Redis');

describe('a Redis with users', () => {
  let redis: RedisProcess;
  beforeAll(async () => {
    redis = await startRedisProcess(path.Redis, ['--save', '']);
    await redis.ask('ACL', 'SETUSER', 'reader', 'on', '>password', '~app:*', '+@all', '-@write');
    await redis.ask('ACL', 'SETUSER', 'writer', 'on', '>password', '~app:*', '+@all');
  });
  afterAll(() => redis?.remove());

  const optionsFor = (keyPrefix: string) => ({
    keyPrefix,
    connectionName: 'tool-hub',
    clock: () => new Date(),
    commandTimeoutMs: 5000,
    onError: () => undefined,
  });
  const open = (user: string, keyPrefix: string) =>
    openBackend(redis.url.replace('redis://', `redis://${user}:password@`), optionsFor(keyPrefix));

  it.each([
    ['may not write', 'reader', 'app:'],
    ['may not use our keys', 'writer', 'another:'],
  ])('refuses to open for a user who %s', async (_case, user, keyPrefix) => {
    await expect(open(user, keyPrefix)).rejects.toThrow('the user lacks a permission in Redis (NOPERM)');
  });

  it.each(['password', 'p%40ss:@/?#'])(
    'opens for a user in the URL whose password %j is a setting of its own',
    async (password) => {
      await redis.ask('ACL', 'SETUSER', 'separate', 'reset', 'on', `>${password}`, '~app:*', '+@all');
      const url = redis.url.replace('redis://', 'redis://separate@');
      const store = await openBackend({ mode: 'single', urls: [url], password }, optionsFor('app:'));
      try {
        expect(await redis.ask('CLIENT', 'LIST')).toContain(' user=separate ');
      } finally {
        store.close();
      }
    },
  );

  it('names its connections after the service for operators, unless the user lacks the permission', async () => {
    await redis.ask('ACL', 'SETUSER', 'nameless', 'on', '>password', '~app:*', '+@all', '-client|setname');
    const stores = [await open('writer', 'app:'), await open('nameless', 'app:')];
    try {
      const clients = String(await redis.ask('CLIENT', 'LIST'));
      expect(clients).toMatch(/ name=tool-hub .* user=writer /);
      expect(clients).toMatch(/ name= .* user=nameless /);
    } finally {
      for (const store of stores) store.close();
    }
  });

  it('reports when a permission is removed, and when it is granted again', async () => {
    const store = await open('writer', 'app:');
    try {
      await expect(store.checkAccess()).resolves.toBeUndefined();
      await redis.ask('ACL', 'SETUSER', 'writer', '-@write');
      await expect(store.checkAccess()).rejects.toThrow(RedisAccessRefused);
      await redis.ask('ACL', 'SETUSER', 'writer', '+@all');
      await expect(store.checkAccess()).resolves.toBeUndefined();
    } finally {
      store.close();
    }
  });
});
