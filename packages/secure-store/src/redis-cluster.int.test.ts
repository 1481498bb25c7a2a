import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { afterAll, afterEach, beforeAll, expect, it } from '@jest/globals';
import { eventually, needs } from '@legate/testing';
import { Cluster } from 'ioredis';
import { createUseOnce, NotReplicated, type OpenBackend, openBackend } from './index.ts';
import { type RedisClusterProcesses, startRedisCluster } from './testing/index.ts';

const { describe, path } = needs('night', 'Redis');
const clock = () => new Date();
const VALUE = Buffer.from('value');
/** Time in which a command must end: its limit is 250 ms, the rest is for a busy machine. */
const BOUND_MS = 2500;

describe('on a Redis Cluster', () => {
  let cluster: RedisClusterProcesses;
  let store: OpenBackend;
  let errors: Error[];
  const opened: OpenBackend[] = [];

  async function open(
    settings: Partial<RedisClusterProcesses['settings']> = {},
    options: { keyPrefix?: string; commandTimeoutMs?: number } = {},
  ): Promise<OpenBackend> {
    const onError = (err: Error) => void errors.push(err);
    const one = await openBackend({ ...cluster.settings, ...settings }, { clock, onError, ...options });
    opened.push(one);
    return one;
  }

  beforeAll(async () => {
    cluster = await startRedisCluster(path.Redis, { fullCoverage: false });
    errors = [];
    store = await open();
  });
  afterEach(() => {
    for (const one of opened.splice(1)) one.close();
  });
  afterAll(async () => {
    for (const one of opened) one.close();
    await cluster?.remove();
  });

  /** A key in a slot of this node. */
  async function keyAt(node: number): Promise<string> {
    for (;;) {
      const key = `key:${randomUUID()}`;
      if ((await cluster.masterOf(key)) === cluster.nodes[node]) return key;
    }
  }

  it('entries can be used from the first command on, on all nodes at the same time', async () => {
    const { backend } = await open();
    const keys = await Promise.all([0, 1, 2].map(keyAt));
    await Promise.all(keys.flatMap((key) => [1, 2, 3].map(() => backend.set(key, VALUE, 60))));
    expect(await backend.getMany(keys)).toEqual([VALUE, VALUE, VALUE]);
  });

  it('a token and its epochs are read together, whichever nodes have them', async () => {
    const names = [
      'token:org_acme:con_tools:user_alice',
      'epoch:org_acme::',
      'epoch:org_acme:con_tools:',
      'epoch:org_acme::user_alice',
      'epoch:::user_alice',
    ];
    const masters = new Set(await Promise.all(names.map((name) => cluster.masterOf(`t:${name}`))));
    expect(masters.size).toBeGreaterThan(1); // otherwise the test would prove nothing
    const { backend } = await open({}, { keyPrefix: 't:' });
    for (const name of names) await backend.set(name, Buffer.from(name), 60);
    const read = await backend.getMany([...names, 'absent']);
    expect(read.map(String)).toEqual([...names, 'undefined']);
  });

  it('a client that is closed during a slot refresh sends no further refresh', async () => {
    const [{ redis, close }, other] = [await open(), store.redis];
    if (!(redis instanceof Cluster) || !other) throw new Error('is no cluster');
    const refresh = redis.refreshSlotsCache.bind(redis);
    let asked = 0;
    await new Promise<void>((resolve) => {
      redis.refreshSlotsCache = (callback) => {
        asked += 1;
        refresh((err) => {
          callback?.(err);
          resolve();
        });
        close(); // before the response, as can happen when a service stops
      };
    });
    // Longer than the interval at which an open client would have asked again.
    for (let round = 0; round < 3; round += 1) await once(other, 'refresh');
    expect(asked).toBe(1);
  });

  it('one node is enough to find the cluster', async () => {
    const { backend } = await open({ urls: [cluster.nodes[2]?.url ?? ''] });
    const key = await keyAt(0);
    await backend.set(key, VALUE, 60);
    expect(await backend.get(key)).toEqual(VALUE);
  });

  it('a user in the URLs signs in with a password that is a setting of its own', async () => {
    for (const node of cluster.nodes)
      await node.ask('ACL', 'SETUSER', 'separate', 'on', '>password', '~*', '+@all');
    const urls = cluster.settings.urls.map((url) => url.replace('redis://', 'redis://separate@'));
    const { backend } = await open({ urls, password: 'password' });
    const key = await keyAt(1);
    await backend.set(key, VALUE, 60);
    expect(await cluster.nodes[1]?.ask('CLIENT', 'LIST')).toContain(' user=separate ');
  });

  it('a process starts without a running cluster, and each command fails at once', async () => {
    const startedAt = performance.now();
    const { backend, redis } = await open({ urls: ['redis://127.0.0.1:1', 'redis://127.0.0.1:2'] });
    await expect(backend.get('k')).rejects.toThrow();
    await expect(backend.getMany(['k', 'l'])).rejects.toThrow();
    await expect(createUseOnce(backend, 'jti:')(['a'], 60)).rejects.toThrow();
    await expect(backend.ping()).rejects.toThrow();
    expect(performance.now() - startedAt).toBeLessThan(5000);
    expect(redis?.status).not.toBe('ready');
  });

  it('a command follows its slot to another node', async () => {
    const key = `{moving}:${randomUUID()}`;
    const { backend, redis } = await open();
    await backend.set(key, VALUE, 60);
    const from = await cluster.masterOf(key);
    const to = cluster.nodes.find((node) => node !== from);
    if (!to || !(redis instanceof Cluster)) throw new Error('there is nowhere to move to');
    await moveSlot(key, from, to);
    expect(await backend.get(key)).toEqual(VALUE);
    expect(await backend.add(key, VALUE, 60)).toBe(false);
  });

  /** Moves a slot like an operator: clients first get an ASK, at the end a MOVED. */
  async function moveSlot(
    key: string,
    from: RedisClusterProcesses['nodes'][number],
    to: RedisClusterProcesses['nodes'][number],
  ) {
    const slot = Number(await from.ask('CLUSTER', 'KEYSLOT', key));
    const [fromId, toId] = [
      String(await from.ask('CLUSTER', 'MYID')),
      String(await to.ask('CLUSTER', 'MYID')),
    ];
    await to.ask('CLUSTER', 'SETSLOT', slot, 'IMPORTING', fromId);
    await from.ask('CLUSTER', 'SETSLOT', slot, 'MIGRATING', toId);
    await from.ask('MIGRATE', '127.0.0.1', to.port, key, 0, 5000);
    const { backend } = await open();
    expect(await backend.get(key)).toEqual(VALUE); // ASK
    for (const node of [to, from]) await node.ask('CLUSTER', 'SETSLOT', slot, 'NODE', toId);
  }

  it('exactly one of many concurrent uses of an identifier succeeds, by two processes', async () => {
    const [one, other] = [await open(), await open()].map(({ backend }) => createUseOnce(backend, 'jti:'));
    const uses = Array.from({ length: 40 }, (_, i) =>
      (i % 2 ? one : other)?.(['https://idp.example', 'x'], 60),
    );
    expect((await Promise.all(uses)).filter(Boolean)).toHaveLength(1);
  });

  it('a write that waits for missing replicas is refused, and the identifier counts as used', async () => {
    const { backend } = await open({ waitReplicas: 1 }, { commandTimeoutMs: 800 });
    const key = await keyAt(1);
    await expect(backend.add(key, VALUE, 60)).rejects.toBeInstanceOf(NotReplicated);
    expect(await backend.add(key, VALUE, 60)).toBe(false);
  });

  it('with a killed node, its keys fail at once, the others work, and all recover with it', async () => {
    const lost = await keyAt(2);
    const kept = await keyAt(0);
    await store.backend.set(lost, VALUE, 600);
    await store.backend.set(kept, VALUE, 600);
    errors.splice(0);
    await cluster.nodes[2]?.kill();
    for (let round = 0; round < 20; round += 1) {
      const startedAt = performance.now();
      await expect(store.backend.get(lost)).rejects.toThrow();
      await expect(store.backend.add(lost, VALUE, 60)).rejects.toThrow();
      await expect(store.backend.getMany([kept, lost])).rejects.toThrow();
      expect(performance.now() - startedAt).toBeLessThan(BOUND_MS);
      expect(await store.backend.get(kept)).toEqual(VALUE);
      await store.backend.ping();
    }
    expect(errors.length).toBeGreaterThan(0);
    expect(errors.length).toBeLessThan(10); // and not one for each command
    await cluster.nodes[2]?.restart();
    await cluster.untilWhole();
    await eventually('the node is found again', async () =>
      store.backend.get(lost).then(
        (value) => value?.equals(VALUE) === true,
        () => false,
      ),
    );
  });

  it('with a hanging node, no command waits for it', async () => {
    const lost = await keyAt(1);
    await store.backend.set(lost, VALUE, 600);
    cluster.nodes[1]?.pause();
    try {
      for (let round = 0; round < 5; round += 1) {
        const startedAt = performance.now();
        await expect(store.backend.get(lost)).rejects.toThrow();
        await store.backend.ping();
        expect(performance.now() - startedAt).toBeLessThan(BOUND_MS);
      }
    } finally {
      cluster.nodes[1]?.resume();
    }
    await cluster.untilWhole();
    await eventually('the node is found again', async () =>
      store.backend.get(lost).then(
        (value) => value?.equals(VALUE) === true,
        () => false,
      ),
    );
  });
});

describe('on a Redis Cluster that requires full coverage', () => {
  it('a lost node is an outage of all, reported at once; so is the loss of all nodes, until they return', async () => {
    const cluster = await startRedisCluster(path.Redis, { nodeTimeoutMs: 500 });
    const store = await openBackend(cluster.settings, { clock, onError: () => undefined });
    try {
      const { backend } = store;
      const keys = Array.from({ length: 30 }, (_, number) => `key:${number}`);
      await Promise.all(keys.map((key) => backend.set(key, VALUE, 600)));
      await backend.ping();
      for (const [number, node] of cluster.nodes.entries()) {
        await node.kill();
        await eventually('the process knows that the cluster is down', () => rejects(backend.ping()));
        const startedAt = performance.now();
        const outcomes = await Promise.all(keys.map((key) => rejects(backend.get(key))));
        expect([number, outcomes.every(Boolean)]).toEqual([number, true]);
        expect(performance.now() - startedAt).toBeLessThan(BOUND_MS);
      }
      for (const node of cluster.nodes) await node.restart();
      await cluster.untilWhole();
      // Node by node: one answers before the connection to another is made.
      await eventually('all nodes are found again', async () => !(await rejects(backend.getMany(keys))));
      expect(await backend.getMany(keys)).toEqual(keys.map(() => VALUE));
    } finally {
      store.close();
      await cluster.remove();
    }
  });
});

const rejects = (promise: Promise<unknown>): Promise<boolean> =>
  promise.then(
    () => false,
    () => true,
  );

describe('on a Redis Cluster with a replica', () => {
  let cluster: RedisClusterProcesses;
  const opened: OpenBackend[] = [];
  const open = async (waitReplicas = 0): Promise<OpenBackend> => {
    const options = { clock, onError: () => undefined, commandTimeoutMs: 1000 }; // for a machine that is busy
    const one = await openBackend({ ...cluster.settings, waitReplicas }, options);
    opened.push(one);
    return one;
  };
  beforeAll(async () => {
    cluster = await startRedisCluster(path.Redis, { replicas: 1, nodeTimeoutMs: 500 });
  });
  afterAll(async () => {
    for (const one of opened) one.close();
    await cluster?.remove();
  });

  async function keyOfFirst(): Promise<string> {
    for (;;) {
      const key = `jti:${randomUUID()}`;
      if ((await cluster.masterOf(key)) === cluster.nodes[0]) return key;
    }
  }

  it('a use counts once the replica has it; while the replica hangs it is refused, and nothing else waits', async () => {
    const { backend } = await open(1);
    await eventually('a use is confirmed', async () =>
      backend.add(await keyOfFirst(), VALUE, 600).catch(() => false),
    );
    const key = await keyOfFirst();
    const replica = cluster.nodes[3];
    replica?.pause();
    try {
      const startedAt = performance.now();
      const adding = backend.add(key, VALUE, 600).catch((err: unknown) => err);
      expect(await backend.get('anything')).toBeUndefined();
      expect(await adding).toBeInstanceOf(Error);
      expect(performance.now() - startedAt).toBeLessThan(BOUND_MS);
    } finally {
      replica?.resume();
    }
    await eventually('the replica confirms again', async () =>
      backend.add(await keyOfFirst(), VALUE, 600).catch(() => false),
    );
  });

  it('the replica takes over from a killed master, and confirmed uses still count there', async () => {
    const { backend } = await open(1);
    const plain = await open();
    let key = '';
    await eventually('a use is confirmed', async () => {
      key = await keyOfFirst(); // one that was not confirmed is taken
      return backend.add(key, VALUE, 600).catch(() => false);
    });
    await cluster.nodes[0]?.kill();
    await eventually('writes go on', () =>
      plain.backend.set(`${key}:after`, VALUE, 60).then(
        async () => (await cluster.masterOf(key)) === cluster.nodes[3],
        () => false,
      ),
    );
    await eventually('reads go on', () =>
      plain.backend.get(key).then(
        (value) => value?.equals(VALUE) === true,
        () => false,
      ),
    );
    expect(await plain.backend.add(key, VALUE, 60)).toBe(false);
  });
});
