import { randomUUID } from 'node:crypto';
import { afterAll, afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { connectRedis, type RedisClient, type RedisSettings } from '@legate/secure-store';
import { openRedis, startRedisCluster } from '@legate/secure-store/testing';
import { createHttpClient, createLogger, Registry } from '@legate/service';
import { needs } from '@legate/testing';
import { sendJson, startServer, type TestServer } from '../testing/http-server.ts';
import { createDeliver } from './deliver.ts';
import type { Pace } from './delivery-loop.ts';
import { createLaneStream, streamOf } from './lane-stream.ts';
import { createMemoryOutbox } from './memory-outbox.ts';
import { observeBacklog } from './observe-backlog.ts';
import { type EventFate, type Lane, laneBounds, type Outbox, type WaitingEvent } from './outbox.ts';
import { createPostEvents } from './post-events.ts';
import { createStreamOutbox } from './stream-outbox.ts';

const PACE: Pace = { pollMs: 5, backoffMs: 5, maxBackoffMs: 20 };
const onRedis = needs('Redis');
const program = onRedis.path.Redis;
const redis = program ? await openRedis(program) : undefined;
const cluster = program ? await startRedisCluster(program) : undefined;
afterAll(() => Promise.all([redis?.remove(), cluster?.remove()]));
const NOWHERE: RedisSettings = { mode: 'single', urls: [] };
const places: [string, RedisSettings][] = [
  ['Redis', redis ? { mode: 'single', urls: [redis.url] } : NOWHERE],
  ['a Redis Cluster', cluster?.settings ?? NOWHERE],
];

/** management-api, as far as events are concerned */
interface Sink {
  readonly url: string;
  /** Each event with how often it came */
  readonly events: Map<string, number>;
  isAway: boolean;
  requests: number;
}

let server: TestServer;
let sink: Sink;
let http: ReturnType<typeof createHttpClient>;
let fates: Map<EventFate, number>;
let refused: string[];
let logged: string;
let outboxes: Outbox[];

beforeEach(async () => {
  outboxes = [];
  refused = [];
  fates = new Map();
  logged = '';
  server = await startServer((_req, res, body) => {
    sink.requests += 1;
    if (sink.isAway) return sendJson(res, 503, {});
    let events: { id: string; poison?: boolean }[];
    try {
      ({ events } = JSON.parse(body));
    } catch {
      return sendJson(res, 400, { code: 'malformed_json' });
    }
    for (const { id, poison } of events) if (!poison) sink.events.set(id, (sink.events.get(id) ?? 0) + 1);
    const faults = events.flatMap(({ poison }, index) =>
      poison ? [{ index, errors: [{ pointer: '/action', code: 'invalid_format', detail: '' }] }] : [],
    );
    sendJson(res, 200, { accepted: 0, known: 0, refused: faults });
  });
  sink = { url: server.url, events: new Map(), isAway: false, requests: 0 };
  http = createHttpClient({ allow: ['loopback'], timeoutMs: 2000 });
});
afterEach(async () => {
  await Promise.all(outboxes.map((outbox) => outbox.close(1000)));
  await server.stop();
  await http.close();
});

const log = createLogger({
  service: 'tool-hub',
  level: 'info',
  destination: { write: (line) => (logged += line) },
});
const onFate = (fate: EventFate, count: number) => void fates.set(fate, (fates.get(fate) ?? 0) + count);

const common = () => ({
  deliver: createDeliver({
    post: createPostEvents({ managementApiUrl: sink.url, fetchAsHub: (url, init) => http.fetch(url, init) }),
    onDelivered: (count) => onFate('delivered', count),
    onRefused: (event) => refused.push(event),
  }),
  pace: PACE,
  onFate,
  log,
});
const remember = (outbox: Outbox): Outbox => {
  outboxes.push(outbox);
  return outbox;
};
const boundsOf = (maxBytes: number) => laneBounds({ maxBytes, sharePercent: 10 });
const memoryOutbox = (maxBytes = 16_777_216) =>
  remember(createMemoryOutbox({ ...common(), bounds: boundsOf(maxBytes) }));

const waiting = (json: string, organizationId = 'org_acme', lane: Lane = 'done'): WaitingEvent => ({
  json,
  organizationId,
  lane,
});
const eventsOf = (count: number, prefix = 'evt', organizationId?: string, lane?: Lane): WaitingEvent[] =>
  Array.from({ length: count }, (_, index) =>
    waiting(JSON.stringify({ id: `${prefix}_${index}` }), organizationId, lane),
  );
const arrivedOf = (prefix: string) => [...sink.events.keys()].filter((id) => id.startsWith(prefix)).length;
const MODEST = eventsOf(5, 'modest', 'org_modest');
/** Until it holds; jest ends what never does. */
async function until(holds: () => boolean | Promise<boolean>): Promise<void> {
  while (!(await holds())) await new Promise((resolve) => setImmediate(resolve));
}
const allArrived = (count: number) => until(() => sink.events.size >= count);
const occurrences = () => [...new Set(sink.events.values())];
const told = async (outbox: Outbox): Promise<string> => {
  const metrics = new Registry();
  observeBacklog(outbox, { metrics, clock: () => new Date() });
  return metrics.metrics();
};

describe('events in memory', () => {
  it('are delivered once each, in batches', async () => {
    memoryOutbox().add(eventsOf(1000));
    await allArrived(1000);
    expect([occurrences(), sink.requests]).toEqual([[1], 5]);
  });

  it('wait for management-api, and then all of them are there', async () => {
    sink.isAway = true;
    const outbox = memoryOutbox();
    for (const event of eventsOf(250)) outbox.add([event]);
    await until(() => sink.requests > 2);
    expect(sink.events.size).toBe(0);
    sink.isAway = false;
    await allArrived(250);
    expect(occurrences()).toEqual([1]);
    expect(logged.match(/cannot be delivered, and wait/g)).toHaveLength(1);
  });

  it('that are too many are counted, told of once, and cost nobody anything', async () => {
    sink.isAway = true;
    const outbox = memoryOutbox(40_000); // 60 % of three quarters, with some 120 bytes each
    for (let i = 0; i < 30; i += 1) outbox.add(eventsOf(10, `evt_${i}`));
    const dropped = fates.get('dropped') ?? 0;
    expect(dropped).toBeGreaterThan(50);
    expect(logged.match(/audit events are lost/g)).toHaveLength(1);
    expect(await told(outbox)).toMatch(/^audit_outbox_fill_ratio\{place="memory",kind="done"\} 0\.59\d*$/m);
    sink.isAway = false;
    await allArrived(300 - dropped);
    expect(sink.events.size).toBe(300 - dropped);
  });

  it('of one organization leave room for those of another', async () => {
    sink.isAway = true;
    const outbox = memoryOutbox(40_000);
    outbox.add(eventsOf(1000, 'flood', 'org_flood'));
    outbox.add(MODEST);
    sink.isAway = false;
    await until(() => arrivedOf('modest') === MODEST.length);
    expect(arrivedOf('flood')).toBeLessThan(1000);
  });

  it('that are refusals leave room for what was done, in the same organization too', async () => {
    sink.isAway = true;
    const outbox = memoryOutbox(40_000);
    outbox.add(eventsOf(1000, 'flood', 'org_acme', 'refusals'));
    outbox.add(eventsOf(100, 'done'));
    sink.isAway = false;
    await until(() => arrivedOf('done') === 100);
  });

  it('have the room that was reserved for them when others have taken the rest', async () => {
    sink.isAway = true;
    const outbox = memoryOutbox(40_000);
    const reservation = outbox.reserve('org_acme');
    outbox.add(eventsOf(1000, 'flood'));
    expect(outbox.reserve('org_acme')).toBeUndefined();
    outbox.add([{ ...waiting(JSON.stringify({ id: 'promised' })), reservation }]);
    sink.isAway = false;
    await until(() => arrivedOf('promised') === 1);
  });

  it('are delivered before the process ends', async () => {
    const outbox = memoryOutbox();
    outbox.add(eventsOf(450));
    await outbox.close(5000);
    expect([sink.events.size, fates.get('dropped')]).toEqual([450, undefined]);
  });

  it('that wait are told of, with the age of the oldest', async () => {
    sink.isAway = true;
    const outbox = memoryOutbox();
    expect(await told(outbox)).toMatch(/^audit_outbox_events 0$/m);
    outbox.add([
      waiting(JSON.stringify({ id: 'evt_old', occurred_at: new Date(Date.now() - 60_000) })),
      ...eventsOf(2),
    ]);
    expect(await told(outbox)).toMatch(/^audit_outbox_events 3$/m);
    expect(await told(outbox)).toMatch(/^audit_outbox_oldest_seconds 6\d(\.\d+)?$/m);
    sink.isAway = false;
    await allArrived(3);
    await until(async () => /^audit_outbox_oldest_seconds 0$/m.test(await told(outbox)));
  });

  it('that cannot be delivered before the end are counted as lost', async () => {
    sink.isAway = true;
    const outbox = memoryOutbox();
    outbox.add(eventsOf(3));
    await outbox.close(5000);
    expect([fates.get('dropped'), logged.includes('before the end')]).toEqual([3, true]);
  });

  it('of which one is refused do not wait for it', async () => {
    const poison = JSON.stringify({ id: 'evt_poison', poison: true });
    memoryOutbox().add([...eventsOf(2), waiting(poison), ...eventsOf(2, 'later')]);
    await until(() => refused.length > 0);
    await allArrived(4);
    expect([refused, sink.events.has('evt_poison')]).toEqual([[poison], false]);
  });
});

const [DONE, REFUSALS] = [streamOf('done'), streamOf('refusals')];

onRedis.describe.each(places)('events in %s', (_name, place) => {
  let keyPrefix: string;
  let connections: RedisClient[];
  beforeEach(() => {
    keyPrefix = `test-${randomUUID()}:`;
    connections = [];
  });
  afterEach(async () => {
    await Promise.all(outboxes.splice(0).map((outbox) => outbox.close(1000)));
    const [own] = connections;
    if (own?.status === 'ready')
      for (const key of [DONE, REFUSALS, `${DONE}:bytes`, `${REFUSALS}:bytes`, 'audit']) await own.del(key);
    for (const connection of connections) connection.disconnect();
  });

  async function connect(settings = place): Promise<RedisClient> {
    // Longer than a service waits: a machine that is busy with other tests must not make events go the other way.
    const redis = await connectRedis(settings, {
      keyPrefix,
      commandTimeoutMs: 5000,
      onError: () => undefined,
    });
    connections.push(redis);
    return redis;
  }
  async function streamOutbox(
    options: { redis?: RedisClient; maxBytes?: number; memoryBytes?: number; abandonedMs?: number } = {},
  ) {
    const { redis = await connect(), maxBytes = 16_777_216, memoryBytes = 1_000_000, abandonedMs } = options;
    const fallback = createMemoryOutbox({ ...common(), bounds: boundsOf(memoryBytes) });
    return remember(
      createStreamOutbox({
        ...common(),
        redis,
        fallback,
        bounds: boundsOf(maxBytes),
        ...(abandonedMs !== undefined && { abandonedMs }),
      }),
    );
  }

  it('are delivered once each by one of two hubs, and then gone from the stream', async () => {
    const [redis, one, other] = [await connect(), await streamOutbox(), await streamOutbox()];
    for (const event of eventsOf(300, 'one')) one.add([event]);
    for (const event of eventsOf(300, 'other')) other.add([event]);
    await allArrived(600);
    await until(async () => (await redis.xlen(DONE)) === 0);
    expect([occurrences(), fates.get('deferred')]).toEqual([[1], undefined]);
  });

  it('that wait are told of by each hub, and not while Redis cannot be asked', async () => {
    sink.isAway = true;
    const redis = await connect();
    const [one, other] = [await streamOutbox(), await streamOutbox({ redis })];
    one.add(eventsOf(3));
    for (const outbox of [one, other])
      await until(async () => /^audit_outbox_events 3$/m.test(await told(outbox)));
    const age = Number(/^audit_outbox_oldest_seconds (\S+)$/m.exec(await told(other))?.[1]);
    expect(age).toBeLessThan(60);
    redis.disconnect();
    await until(async () => /^audit_outbox_events 0$/m.test(await told(other)));
    sink.isAway = false;
    await allArrived(3);
  });

  it('outlive the hub that wrote them and management-api that was away', async () => {
    sink.isAway = true;
    const first = await streamOutbox();
    first.add(eventsOf(250));
    await until(() => sink.requests > 2);
    await first.close(1000);
    sink.isAway = false;
    await streamOutbox({ abandonedMs: 0 });
    await allArrived(250);
    expect(fates.get('dropped')).toBeUndefined();
  });

  it('that a hub had read when it died are claimed by another one', async () => {
    const redis = await connect();
    await redis.xadd(DONE, '*', 'event', JSON.stringify({ id: 'evt_orphan' }));
    const dead = createLaneStream({ redis, stream: DONE });
    expect((await dead.take())?.events).toHaveLength(1); // and no word of it any more
    await streamOutbox({ abandonedMs: 0 });
    await allArrived(1);
    await until(async () => (await redis.xlen(DONE)) === 0);
    expect(occurrences()).toEqual([1]);
  });

  it('that a living hub has read are left to it', async () => {
    const redis = await connect();
    await redis.xadd(DONE, '*', 'event', JSON.stringify({ id: 'evt_held' }));
    const living = createLaneStream({ redis, stream: DONE });
    const held = await living.take();
    expect(await createLaneStream({ redis, stream: DONE }).take()).toBeUndefined();
    await held?.done();
    expect(await redis.xlen(DONE)).toBe(0);
  });

  it('of a hub that ends in order leave no consumer behind', async () => {
    const redis = await connect();
    const outbox = await streamOutbox();
    outbox.add(eventsOf(3));
    await allArrived(3);
    await outbox.close(1000);
    outboxes.pop();
    expect(await redis.xinfo('CONSUMERS', DONE, 'hubs')).toEqual([]);
  });

  it('of which one is refused do not wait for it', async () => {
    const poison = JSON.stringify({ id: 'evt_poison', poison: true });
    const redis = await connect();
    (await streamOutbox({ redis })).add([...eventsOf(2), waiting(poison), ...eventsOf(2, 'later')]);
    await allArrived(4);
    await until(async () => (await redis.xlen(DONE)) === 0);
    expect(refused).toEqual([poison]);
  });

  it('of which one is not even JSON do not wait for it', async () => {
    const redis = await connect();
    (await streamOutbox({ redis })).add([...eventsOf(2), waiting('{"id":'), ...eventsOf(2, 'later')]);
    await allArrived(4);
    await until(async () => (await redis.xlen(DONE)) === 0);
    expect(refused).toEqual(['{"id":']);
  });

  it('go through memory while Redis is away', async () => {
    const redis = await connect({ ...place, urls: ['redis://127.0.0.1:1'] });
    (await streamOutbox({ redis })).add(eventsOf(20));
    await allArrived(20);
    expect([occurrences(), fates.get('deferred')]).toEqual([[1], 20]);
  });

  it('that have no room there wait in memory, and what has none there either is counted and told of once', async () => {
    sink.isAway = true;
    const redis = await connect();
    const outbox = await streamOutbox({ redis, maxBytes: 40_000, memoryBytes: 40_000 });
    for (let i = 0; i < 10; i += 1) outbox.add(eventsOf(100, `evt_${i}`));
    await until(() => (fates.get('dropped') ?? 0) > 500);
    expect(fates.get('deferred')).toBeGreaterThan(fates.get('dropped') ?? 0);
    expect(await redis.xlen(DONE)).toBeLessThan(200);
    expect(logged.match(/audit events are lost/g)).toHaveLength(1);
  });

  it('of one organization leave room for those of another, and refusals for what was done', async () => {
    sink.isAway = true;
    const redis = await connect();
    const outbox = await streamOutbox({ redis, maxBytes: 40_000, memoryBytes: 0 });
    outbox.add(eventsOf(1000, 'flood', 'org_flood'));
    outbox.add(eventsOf(1000, 'refused', 'org_modest', 'refusals'));
    await until(() => (fates.get('dropped') ?? 0) > 1000);
    const before = fates.get('dropped');
    outbox.add(MODEST);
    await until(async () => (await redis.hget(`${DONE}:bytes`, 'of:org_modest')) !== null);
    expect(fates.get('dropped')).toBe(before);
  });

  it('give their bytes back when they have been delivered', async () => {
    const redis = await connect();
    const outbox = await streamOutbox({ redis });
    outbox.add(eventsOf(300, 'é'));
    await allArrived(300);
    await until(async () => (await redis.xlen(DONE)) === 0);
    expect(await redis.hgetall(`${DONE}:bytes`)).toEqual({ total: '0' });
  });

  it('that a hub of an earlier version has left are delivered', async () => {
    const redis = await connect();
    await redis.xadd('audit', '*', 'event', JSON.stringify({ id: 'evt_former' }));
    await redis.xgroup('CREATE', 'audit', 'hubs', '0');
    await streamOutbox({ redis });
    await allArrived(1);
    await until(async () => (await redis.xlen('audit')) === 0);
  });

  it('survive that somebody removes the stream', async () => {
    const redis = await connect();
    const outbox = await streamOutbox({ redis });
    outbox.add(eventsOf(1, 'before'));
    await allArrived(1);
    await redis.del(DONE);
    outbox.add(eventsOf(1, 'after'));
    await allArrived(2);
    expect(occurrences()).toEqual([1]);
  });
});
