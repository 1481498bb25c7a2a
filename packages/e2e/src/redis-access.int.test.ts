import { randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { ROOT, type ServiceProcess, startService } from '@legate/dev';
import { openBackend } from '@legate/secure-store';
import { type RedisProcess, startRedisProcess } from '@legate/secure-store/testing';
import { findFreePort } from '@legate/service/testing';
import { eventually, needs, START_UP_MS } from '@legate/testing';
import { Redis } from 'ioredis';

/** Tests a hub process with a Redis that requires a password. */

/** Rights of each user in docs/operations/redis.md */
const ACL_LINES: ReadonlyMap<string, readonly string[]> = new Map(
  [...readFileSync(`${ROOT}docs/operations/redis.md`, 'utf8').matchAll(/^user (\w+) (.+)$/gm)].map(
    ([, name = '', rights = '']) => [name, rights.split(' ')],
  ),
);

const { describe, path } = needs('time', 'Redis');

describe('a hub whose Redis requires a password', () => {
  let directory: string;
  let redis: RedisProcess;
  let admin: Redis;
  const hubs: ServiceProcess[] = [];
  beforeAll(async () => {
    directory = await mkdtemp(join(tmpdir(), 'legate-redis-access-'));
    await writeFile(join(directory, 'connectors.json'), JSON.stringify({ connectors: [] }));
    redis = await startRedisProcess(path.Redis, ['--save', '']);
    admin = new Redis(redis.url);
    await admin.call('ACL', 'SETUSER', 'default', 'resetpass', '>right-password');
  });
  afterAll(async () => {
    for (const hub of hubs) await hub.stop();
    admin?.disconnect();
    await redis?.remove();
    await rm(directory, { recursive: true, force: true });
  });

  async function start(env: Record<string, string>) {
    const [port, metricsPort] = [await findFreePort(), await findFreePort()];
    const url = `http://localhost:${port}`;
    const settings = {
      PORT: String(port),
      METRICS_PORT: String(metricsPort),
      PUBLIC_URL: url,
      IDP_ISSUER: 'https://idp.example',
      IDP_CLIENT_ID: 'tool-hub',
      IDP_CLIENT_SECRET: 'a-secret-that-nobody-is-asked-for',
      CONNECTORS_FILE: join(directory, 'connectors.json'),
      REDIS_URL: redis.url,
      ENCRYPTION_KEYS: `test:${randomBytes(32).toString('base64')}`,
      ...env,
    };
    const hub = startService('tool-hub', settings, join(directory, 'hub.log'));
    hubs.push(hub);
    await hub.waitUntilReady(url, START_UP_MS);
    return {
      ready: async () => {
        const answer = await fetch(`${url}/readyz`);
        return { status: answer.status, body: await answer.json() };
      },
      metric: async () => {
        const text = await (await fetch(`http://localhost:${metricsPort}/metrics`)).text();
        return /^redis_access_refused\{.*\} (\d)$/m.exec(text)?.[1];
      },
    };
  }

  it.each([
    [{ REDIS_PASSWORD: 'wrong-password' }, 'Redis refuses the password'],
    [{}, 'Redis demands a password'],
  ])('does not start with %j, and names the setting without its value', async (env, fault) => {
    const failure = await start(env).catch((err: unknown) => String(err));
    expect(failure).toContain('configuration: 1 fault(s)');
    expect(failure).toContain(`REDIS_PASSWORD: ${fault}`);
    expect(failure).not.toContain('wrong-password');
  });

  it('is not ready, and shows it in a metric, while Redis refuses the password', async () => {
    const hub = await start({ REDIS_PASSWORD: 'right-password' });
    expect([await hub.ready(), await hub.metric()]).toEqual([
      { status: 200, body: { status: 'ready' } },
      '0',
    ]);
    await admin.call('ACL', 'SETUSER', 'default', 'resetpass', '>another-password');
    await admin.call('CLIENT', 'KILL', 'TYPE', 'normal', 'SKIPME', 'yes');
    await eventually('the hub is not ready', async () => (await hub.ready()).status === 503);
    expect([await hub.ready(), await hub.metric()]).toEqual([
      { status: 503, body: { status: 'not_ready', failed: ['redis_access'] } },
      '1',
    ]);
    await admin.call('ACL', 'SETUSER', 'default', '>right-password');
    await eventually('the hub is ready', async () => (await hub.ready()).status === 200);
    expect(await hub.metric()).toBe('0');
  });

  it.each([...ACL_LINES])('lets %s use its keys, with the rights of the documents', async (name, rights) => {
    await admin.call('ACL', 'SETUSER', name, ...rights);
    const url = redis.url.replace('redis://', `redis://${name}@`);
    const keyPrefix = rights.find((right) => right.startsWith('~'))?.slice(1, -1) ?? '';
    const options = { keyPrefix, clock: () => new Date(), onError: () => undefined };
    const store = await openBackend({ mode: 'single', urls: [url], password: 'PASSWORD' }, options);
    try {
      await expect(store.backend.add('key', Buffer.from('1'), 60)).resolves.toBe(true);
      await expect(store.backend.replace('key', Buffer.from('1'), Buffer.from('2'))).resolves.toBe(true);
      await expect(store.redis?.flushall()).rejects.toThrow('NOPERM');
    } finally {
      store.close();
    }
  });

  it('is not ready, and shows it in a metric, while Redis refuses a channel', async () => {
    const rights = ACL_LINES.get('hub') ?? [];
    await admin.call('ACL', 'SETUSER', 'hub', ...rights);
    const url = redis.url.replace('redis://', 'redis://hub@');
    const hub = await start({ REDIS_URL: url, REDIS_PASSWORD: 'PASSWORD', REDIS_KEY_PREFIX: 'hub:' });
    expect([await hub.ready(), await hub.metric()]).toEqual([
      { status: 200, body: { status: 'ready' } },
      '0',
    ]);
    await admin.call('ACL', 'SETUSER', 'hub', 'resetchannels', '&hub:connectors-changed');
    await eventually('the hub is not ready', async () => (await hub.ready()).status === 503);
    expect([await hub.ready(), await hub.metric()]).toEqual([
      { status: 503, body: { status: 'not_ready', failed: ['redis_access'] } },
      '1',
    ]);
    await admin.call('ACL', 'SETUSER', 'hub', ...rights);
    await eventually('the hub is ready', async () => (await hub.ready()).status === 200);
    expect(await hub.metric()).toBe('0');
  });

  it('stays ready while Redis is down, because that is an outage and not a fault of its settings', async () => {
    const hub = await start({ REDIS_PASSWORD: 'right-password' });
    await redis.kill();
    expect(await hub.ready()).toEqual({ status: 200, body: { status: 'ready' } });
  });
});
