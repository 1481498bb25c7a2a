import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { type AddressInfo, createServer, type Socket } from 'node:net';
import { afterAll, afterEach, describe, expect, it, jest } from '@jest/globals';
import { needs } from '@legate/testing';
import {
  type Backend,
  connectRedis,
  createMemoryBackend,
  createRedisBackend,
  createSecureStore,
  createUseOnce,
  generateEncryptionKeys,
  openBackend,
  parseEncryptionKeys,
  UnreadableEntry,
} from './index.ts';
import { startRedisCluster } from './testing/index.ts';

const url = process.env.TEST_REDIS_URL;
/** A prefix for this run, so that concurrent runs do not collide. */
const keyPrefix = `legate-test:${randomUUID()}:`;
const fail = (err: Error) => {
  throw err;
};
const { redis, backend: shared } = await openBackend(url, {
  keyPrefix,
  clock: () => new Date(),
  commandTimeoutMs: 5000,
  onError: fail,
});

const onCluster = needs('Redis');
const cluster = onCluster.path.Redis ? await startRedisCluster(onCluster.path.Redis) : undefined;
const ofCluster =
  cluster &&
  (await openBackend(cluster.settings, {
    keyPrefix,
    clock: () => new Date(),
    commandTimeoutMs: 5000,
    onError: fail,
  }));

afterAll(async () => {
  ofCluster?.close();
  await cluster?.remove();
  if (!redis) return;
  const keys = await redis.keys(`${keyPrefix}*`);
  await Promise.all(keys.map((key) => redis.del(key.slice(keyPrefix.length))));
  redis.disconnect();
});

const backends: [string, Backend][] = [['memory', createMemoryBackend({ clock: () => new Date() })]];
if (redis) backends.push(['Redis', shared]);
const clusters: [string, Backend][] = [['a Redis Cluster', ofCluster ? ofCluster.backend : shared]];

const BYTES = Buffer.from([0, 255, 128, 10, 13, 34]);
const OTHER = Buffer.from('other');

const entrySpecs = (_name: string, backend: Backend) => {
  const key = () => `entry:${randomUUID()}`;

  it('are bytes stored under a key until they are deleted', async () => {
    const name = key();
    expect(await backend.get(name)).toBeUndefined();
    await backend.set(name, BYTES, 60);
    expect(await backend.get(name)).toEqual(BYTES);
    expect(await backend.delete(name)).toBe(true);
    expect(await backend.delete(name)).toBe(false);
    expect(await backend.get(name)).toBeUndefined();
  });

  it('are added by exactly one of any number of concurrent calls', async () => {
    const name = key();
    const outcomes = await Promise.all(Array.from({ length: 50 }, () => backend.add(name, BYTES, 60)));
    expect(outcomes.filter(Boolean)).toHaveLength(1);
  });

  it('are replaced only if they have the expected value', async () => {
    const name = key();
    expect(await backend.replace(name, BYTES, OTHER)).toBe(false);
    expect(await backend.get(name)).toBeUndefined();
    await backend.set(name, BYTES, 60);
    expect(await backend.replace(name, OTHER, Buffer.from('wrong'))).toBe(false);
    expect(await backend.get(name)).toEqual(BYTES);
    expect(await backend.replace(name, BYTES, OTHER)).toBe(true);
    expect(await backend.get(name)).toEqual(OTHER);
  });

  it('are removed only if they have the expected value', async () => {
    const name = key();
    await backend.set(name, BYTES, 60);
    expect(await backend.replace(name, OTHER, undefined)).toBe(false);
    expect(await backend.get(name)).toEqual(BYTES);
    expect(await backend.replace(name, BYTES, undefined)).toBe(true);
    expect(await backend.get(name)).toBeUndefined();
  });

  it('are read together in the order of their keys, with missing ones in their places', async () => {
    const [first, absent, second] = [key(), key(), key()];
    await backend.set(first, BYTES, 60);
    await backend.set(second, OTHER, 60);
    expect(await backend.getMany([second, absent, first, second])).toEqual([OTHER, undefined, BYTES, OTHER]);
  });

  it.each([0, -1, 1.5, Number.NaN, Number.POSITIVE_INFINITY])('never live %d seconds', async (ttlSeconds) => {
    await expect(backend.set(key(), BYTES, ttlSeconds)).rejects.toBeInstanceOf(RangeError);
    await expect(backend.add(key(), BYTES, ttlSeconds)).rejects.toBeInstanceOf(RangeError);
  });

  it('are available: the backend responds to a ping', async () => {
    await expect(backend.ping()).resolves.toBeUndefined();
  });
};
describe.each(backends)('entries in %s', entrySpecs);
onCluster.describe.each(clusters)('entries in %s', entrySpecs);

const storeSpecs = (_name: string, backend: Backend) => {
  const keyA = `a:${Buffer.alloc(32, 1).toString('base64')}`;
  const keyB = `b:${Buffer.alloc(32, 2).toString('base64')}`;
  const withKeys = (text: string) => createSecureStore({ backend, keys: parseEncryptionKeys(text) });
  const name = () => `token:org_acme:con_reference:${randomUUID()}`;

  it('returns what it stored, and stores no plaintext', async () => {
    const store = createSecureStore({ backend, keys: generateEncryptionKeys() });
    const entry = name();
    await store.set(entry, '{"access_token":"SECRET"}', 60);
    expect(await store.get(entry)).toBe('{"access_token":"SECRET"}');
    expect((await backend.get(entry))?.toString('latin1')).not.toMatch(/SECRET|access_token/);
    expect(await store.delete(entry)).toBe(true);
    expect(await store.get(entry)).toBeUndefined();
  });

  it('refuses an entry of one user that was copied to the name of another user', async () => {
    const store = withKeys(keyA);
    const [alice, bob] = [name(), name()];
    await store.set(alice, 'of Alice', 60);
    await backend.set(bob, (await backend.get(alice)) ?? BYTES, 60);
    await expect(store.get(bob)).rejects.toBeInstanceOf(UnreadableEntry);
    expect(await store.get(alice)).toBe('of Alice');
  });

  it('reads entries of an older key and re-encrypts them, so that the key can be removed', async () => {
    const entry = name();
    await withKeys(keyA).set(entry, 'kept', 60);
    expect(await withKeys(`${keyB},${keyA}`).get(entry)).toBe('kept');
    expect(await withKeys(keyB).get(entry)).toBe('kept');
    await expect(withKeys(keyA).get(entry)).rejects.toBeInstanceOf(UnreadableEntry);
  });

  it('reads an entry even if it cannot be re-encrypted', async () => {
    const entry = name();
    await withKeys(keyA).set(entry, 'kept', 60);
    const readOnly = { ...backend, replace: () => Promise.reject(new Error('READONLY')) };
    const store = createSecureStore({ backend: readOnly, keys: parseEncryptionKeys(`${keyB},${keyA}`) });
    expect(await store.get(entry)).toBe('kept');
  });

  it('reads several entries together, including those next to an unreadable one', async () => {
    const [good, planted, absent, old] = [name(), name(), name(), name()];
    await withKeys(keyB).set(good, 'kept', 60);
    await withKeys(keyA).set(old, 'older', 60);
    await backend.set(planted, (await backend.get(good)) ?? BYTES, 60);
    const names = [good, planted, absent, old];
    const read = await withKeys(`${keyB},${keyA}`).getMany(names);
    expect(read).toEqual(['kept', expect.any(UnreadableEntry), undefined, 'older']);
    expect(await withKeys(keyB).getMany([old])).toEqual(['older']); // encrypted again
  });

  it('replaces a text only if it is the expected one, even after a key rotation', async () => {
    const entry = name();
    const store = withKeys(`${keyB},${keyA}`);
    expect(await store.replace(entry, 'first', 'second')).toBe(false);
    await withKeys(keyA).set(entry, 'first', 60);
    const outcomes = await Promise.all(['b', 'c', 'd'].map((next) => store.replace(entry, 'first', next)));
    expect(outcomes.filter(Boolean)).toHaveLength(1);
    const kept = await store.get(entry);
    expect(await store.replace(entry, 'first', undefined)).toBe(false);
    expect(await store.replace(entry, kept ?? '', undefined)).toBe(true);
    expect(await store.get(entry)).toBeUndefined();
  });

  it('adds a text for only one of two concurrent calls', async () => {
    const entry = name();
    const store = withKeys(keyA);
    expect(await Promise.all([store.add(entry, 'a', 60), store.add(entry, 'a', 60)])).toContain(false);
    expect(await store.get(entry)).toBe('a');
  });

  it('refuses what is not an encrypted entry', async () => {
    const entry = name();
    await backend.set(entry, Buffer.from('plain text'), 60);
    await expect(withKeys(keyA).get(entry)).rejects.toBeInstanceOf(UnreadableEntry);
  });

  it('accepts exactly one of two concurrent uses of an assertion', async () => {
    const useOnce = createUseOnce(backend, 'jti:');
    const id = ['https://idp.example', randomUUID()];
    expect((await Promise.all([useOnce(id, 60), useOnce(id, 60)])).sort()).toEqual([false, true]);
    expect(await useOnce(id, 60)).toBe(false);
  });
};
describe.each(backends)('an encrypted store in %s', storeSpecs);
onCluster.describe.each(clusters)('an encrypted store in %s', storeSpecs);

if (redis) {
  describe('in Redis', () => {
    const backend = createRedisBackend(redis);

    it('entries have the given lifetime, also after re-encryption', async () => {
      await backend.set('life', BYTES, 100);
      await backend.add('life2', BYTES, 100);
      await redis.expire('life', 50);
      await backend.replace('life', BYTES, OTHER);
      expect(await redis.ttl('life')).toBeGreaterThan(0);
      expect(await redis.ttl('life')).toBeLessThanOrEqual(50);
      expect(await redis.ttl('life2')).toBeGreaterThan(50);
      expect(await backend.replace('life', BYTES, OTHER, 500)).toBe(false);
      expect(await redis.ttl('life')).toBeLessThanOrEqual(50);
      expect(await backend.replace('life', OTHER, BYTES, 500)).toBe(true);
      expect(await redis.ttl('life')).toBeGreaterThan(400);
      expect(await backend.get('life')).toEqual(BYTES);
      await expect(backend.replace('life', BYTES, OTHER, 0)).rejects.toThrow(RangeError);
    });

    it('entries are stored under the key prefix of the service and their unchanged name', async () => {
      await backend.set('token:org_acme:con_reference:user_alice', BYTES, 60);
      expect(await redis.keys(`${keyPrefix}token:*`)).toContain(
        `${keyPrefix}token:org_acme:con_reference:user_alice`,
      );
    });
  });
}

describe('a Redis that', () => {
  const open: { disconnect(): void }[] = [];
  const servers: ReturnType<typeof createServer>[] = [];
  const sockets = new Set<Socket>();
  afterEach(async () => {
    for (const client of open.splice(0)) client.disconnect();
    for (const socket of sockets) socket.destroy();
    for (const server of servers.splice(0)) await new Promise((resolve) => server.close(resolve));
  });

  async function silentServer(): Promise<number> {
    const server = createServer((socket) => void sockets.add(socket)).listen(0, '127.0.0.1');
    servers.push(server);
    await once(server, 'listening');
    return (server.address() as AddressInfo).port;
  }

  async function connect(port: number, commandTimeoutMs = 50) {
    const onError = jest.fn<(err: Error) => void>();
    const client = await connectRedis(`redis://127.0.0.1:${port}`, { onError, commandTimeoutMs });
    open.push(client);
    return { backend: createRedisBackend(client), client, onError };
  }

  it('that is down does not prevent the start, and fails each command at once', async () => {
    const port = await silentServer();
    await new Promise((resolve) => servers.pop()?.close(resolve));
    const { backend, onError } = await connect(port);
    expect(onError).toHaveBeenCalledWith(expect.objectContaining({ code: 'ECONNREFUSED' }));
    // Not 'Command timed out': a command is not kept until there is a connection.
    const atOnce = "Stream isn't writeable and enableOfflineQueue options is false";
    await expect(backend.get('k')).rejects.toThrow(atOnce);
    await expect(backend.add('k', BYTES, 1)).rejects.toThrow(atOnce);
    await expect(backend.ping()).rejects.toThrow(atOnce);
  });

  it('accepts connections but never responds does not prevent the start either', async () => {
    const { backend, onError } = await connect(await silentServer());
    expect(onError).toHaveBeenCalledWith(expect.objectContaining({ message: 'Command timed out' }));
    await expect(backend.get('k')).rejects.toThrow();
  });

  needs('night').it('is slow has all the time that a command may take', async () => {
    let isSlow = false;
    const port = await silentServer();
    servers[0]?.on('connection', (socket: Socket) => {
      socket.on('data', (commands) => {
        const answer = '+OK\r\n'.repeat(commands.toString().match(/^\*\d+\r$/gm)?.length ?? 0);
        if (isSlow) setTimeout(() => socket.write(answer), 2500);
        else socket.write(answer);
      });
    });
    const { backend } = await connect(port, 4000);
    isSlow = true;
    await backend.ping();
  });

  it('that stops responding is disconnected, and connected to again', async () => {
    let silent = false;
    const port = await silentServer();
    servers[0]?.on('connection', (socket: Socket) => {
      socket.on('data', (commands) => {
        const count = commands.toString().match(/^\*\d+\r$/gm)?.length ?? 0;
        if (!silent) socket.write('+OK\r\n'.repeat(count));
      });
    });
    const { backend, client } = await connect(port, 1000); // enough for the other commands on a slow machine
    await backend.ping();
    silent = true;
    await expect(backend.ping()).rejects.toThrow();
    await new Promise((resolve) => client.once('close', resolve)); // `once` of node:events ends with the error before it
    silent = false;
    await once(client, 'ready');
    await backend.ping();
  });
});
