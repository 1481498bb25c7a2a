import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { eventually, needs } from '@legate/testing';
import { type OpenBackend, openBackend } from './index.ts';
import { FAILOVER_MS, type RedisSentinelProcesses, startRedisSentinels } from './testing/index.ts';

const { describe, path } = needs('night', 'Redis');
const VALUE = Buffer.from('value');
const options = { clock: () => new Date(), onError: () => undefined };

describe('with sentinels', () => {
  let redis: RedisSentinelProcesses;
  const opened: OpenBackend[] = [];
  const open = async (settings: Partial<RedisSentinelProcesses['settings']> = {}): Promise<OpenBackend> => {
    const one = await openBackend({ ...redis.settings, ...settings }, options);
    opened.push(one);
    return one;
  };
  beforeAll(async () => {
    redis = await startRedisSentinels(path.Redis);
  });
  afterAll(async () => {
    for (const one of opened) one.close();
    await redis?.remove();
  });

  it('a process starts although no sentinel is available, and each command fails at once', async () => {
    const startedAt = performance.now();
    const { backend } = await open({ urls: ['redis://127.0.0.1:1'] });
    await expect(backend.get('k')).rejects.toThrow();
    expect(performance.now() - startedAt).toBeLessThan(5000);
  });

  it('a process starts although they know no master by that name', async () => {
    const { backend } = await open({ sentinelName: 'another-master' });
    await expect(backend.get('k')).rejects.toThrow();
  });

  it('the master is found, and one sentinel is enough to find it', async () => {
    const { backend } = await open({ urls: redis.settings.urls.slice(0, 1) });
    await backend.set('k', VALUE, 600);
    expect(await redis.master.ask('GET', 'k')).toBe('value');
  });

  it('a user in the URL signs in at the master with a password that is a setting of its own', async () => {
    await redis.master.ask('ACL', 'SETUSER', 'separate', 'on', '>password', '~*', '+@all');
    const urls = redis.settings.urls.map((url) => url.replace('redis://', 'redis://separate@'));
    const { backend } = await open({ urls, password: 'password' });
    await backend.set('k', VALUE, 600);
    expect(await redis.master.ask('CLIENT', 'LIST')).toContain(' user=separate ');
  });

  it(
    'with a hanging master no command waits, and after its replica took over writes work there',
    async () => {
      const { backend } = await open();
      const confirmed = await open({ waitReplicas: 1 });
      let jti = '';
      await eventually('a use is confirmed', () => {
        jti = `jti:${randomUUID()}`; // one that was not confirmed is taken
        return confirmed.backend.add(jti, VALUE, 600).catch(() => false);
      });
      redis.master.pause();
      try {
        const startedAt = performance.now();
        await expect(backend.set('k', VALUE, 600)).rejects.toThrow();
        expect(performance.now() - startedAt).toBeLessThan(2500);
        await eventually(
          'writes go on',
          () =>
            backend.set('after', VALUE, 600).then(
              () => true,
              () => false,
            ),
          { timeoutMs: FAILOVER_MS },
        );
        expect(await redis.replica.ask('GET', 'after')).toBe('value');
        let isNew: boolean | undefined;
        await eventually(
          'an answer', // a sentinel's late message makes the client connect again
          () =>
            backend.add(jti, VALUE, 600).then(
              (added) => {
                isNew = added;
                return true;
              },
              () => false,
            ),
          { timeoutMs: FAILOVER_MS },
        );
        expect(isNew).toBe(false);
        // Back again, the old master takes itself for one until the sentinels tell it: no write may go there.
        redis.master.resume();
        await backend.set('later', VALUE, 600);
        expect(await redis.replica.ask('GET', 'later')).toBe('value');
        expect(await redis.master.ask('GET', 'later')).toBeNull();
      } finally {
        redis.master.resume();
      }
    },
    FAILOVER_MS + 30_000,
  );
});
