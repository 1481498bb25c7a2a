import { randomBytes, randomUUID } from 'node:crypto';
import { afterAll, afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { OrganizationId } from '@legate/ids';
import {
  connectRedis,
  type EncryptionKeys,
  parseEncryptionKeys,
  type RedisClient,
  type RedisSettings,
} from '@legate/secure-store';
import { openRedis, startRedisCluster } from '@legate/secure-store/testing';
import { createHttpClient, createLogger, Registry } from '@legate/service';
import { eventually, needs } from '@legate/testing';
import { sendJson, startServer, type TestServer } from '../testing/http-server.ts';
import { createDeliver } from './deliver.ts';
import type { Pace } from './delivery-loop.ts';
import { createEventSeal } from './event-seal.ts';
import { createRefusedEvents, createUnreadableEvents, UNREADABLE_STREAM } from './kept-events.ts';
import { createLaneStream, streamOf } from './lane-stream.ts';
import { createMemoryOutbox } from './memory-outbox.ts';
import { observeBacklog } from './observe-backlog.ts';
import { type DeliveryResult, type Lane, laneBounds, type Outbox, type WaitingEvent } from './outbox.ts';
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

/** An imitation of the events endpoint of management-api */
interface Sink {
  readonly url: string;
  /** Each event, and how often it was received */
  readonly events: Map<string, number>;
  isAway: boolean;
  requests: number;
}

let server: TestServer;
let sink: Sink;
let http: ReturnType<typeof createHttpClient>;
let results: Map<DeliveryResult, number>;
let refused: string[];
let logged: string;
let outboxes: Outbox[];

beforeEach(async () => {
  outboxes = [];
  refused = [];
  results = new Map();
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
const onResult = (result: DeliveryResult, count: number) =>
  void results.set(result, (results.get(result) ?? 0) + count);

const common = () => ({
  deliver: createDeliver({
    post: createPostEvents({ managementApiUrl: sink.url, fetchAsHub: (url, init) => http.fetch(url, init) }),
    onDelivered: (count) => onResult('delivered', count),
    onRefused: (event) => refused.push(event),
  }),
  pace: PACE,
  onResult,
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
  organizationId: OrganizationId.parse(organizationId),
  lane,
});
const eventsOf = (count: number, prefix = 'evt', organizationId?: string, lane?: Lane): WaitingEvent[] =>
  Array.from({ length: count }, (_, index) =>
    waiting(JSON.stringify({ id: `${prefix}_${index}` }), organizationId, lane),
  );
const arrivedOf = (prefix: string) => [...sink.events.keys()].filter((id) => id.startsWith(prefix)).length;
const MODEST = eventsOf(5, 'modest', 'org_modest');
const allArrived = (count: number) =>
  eventually(`${count} events`, () => sink.events.size, { until: (size) => size >= count });
const occurrences = () => [...new Set(sink.events.values())];
const metricsOf = async (outbox: Outbox): Promise<string> => {
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

  it('wait until management-api is available, and are all delivered then', async () => {
    sink.isAway = true;
    const outbox = memoryOutbox();
    for (const event of eventsOf(250)) outbox.add([event]);
    await eventually('further requests', () => sink.requests > 2);
    expect(sink.events.size).toBe(0);
    sink.isAway = false;
    await allArrived(250);
    expect(occurrences()).toEqual([1]);
    expect(logged.match(/cannot be delivered and are waiting/g)).toHaveLength(1);
  });

  it('are counted as lost and reported once beyond the limit, and callers notice nothing', async () => {
    sink.isAway = true;
    const outbox = memoryOutbox(40_000); // three quarters, times 60 %, at about 120 bytes each
    for (let i = 0; i < 30; i += 1) outbox.add(eventsOf(10, `evt_${i}`));
    const dropped = results.get('dropped') ?? 0;
    expect(dropped).toBeGreaterThan(50);
    expect(logged.match(/audit events are lost/g)).toHaveLength(1);
    expect(await metricsOf(outbox)).toMatch(
      /^audit_outbox_fill_ratio\{place="memory",kind="done"\} 0\.59\d*$/m,
    );
    sink.isAway = false;
    await allArrived(300 - dropped);
    expect(sink.events.size).toBe(300 - dropped);
  });

  it('of one organization leave room for events of others', async () => {
    sink.isAway = true;
    const outbox = memoryOutbox(40_000);
    outbox.add(eventsOf(1000, 'flood', 'org_flood'));
    outbox.add(MODEST);
    sink.isAway = false;
    await eventually('events of modest', () => arrivedOf('modest') === MODEST.length);
    expect(arrivedOf('flood')).toBeLessThan(1000);
  });

  it('of refusals leave room for events of executed calls, even in the same organization', async () => {
    sink.isAway = true;
    const outbox = memoryOutbox(40_000);
    outbox.add(eventsOf(1000, 'flood', 'org_acme', 'refusals'));
    outbox.add(eventsOf(100, 'done'));
    sink.isAway = false;
    await eventually('events of done', () => arrivedOf('done') === 100);
  });

  it('use the room reserved for them when other events have filled the rest', async () => {
    sink.isAway = true;
    const outbox = memoryOutbox(40_000);
    const reservation = outbox.reserve(OrganizationId.parse('org_acme'));
    outbox.add(eventsOf(1000, 'flood'));
    expect(outbox.reserve(OrganizationId.parse('org_acme'))).toBeUndefined();
    outbox.add([{ ...waiting(JSON.stringify({ id: 'promised' })), reservation }]);
    sink.isAway = false;
    await eventually('events of promised', () => arrivedOf('promised') === 1);
  });

  it('are delivered before the process ends', async () => {
    const outbox = memoryOutbox();
    outbox.add(eventsOf(450));
    await outbox.close(5000);
    expect([sink.events.size, results.get('dropped')]).toEqual([450, undefined]);
  });

  it('are reported while they wait, with the age of the oldest', async () => {
    sink.isAway = true;
    const outbox = memoryOutbox();
    expect(await metricsOf(outbox)).toMatch(/^audit_outbox_events 0$/m);
    outbox.add([
      waiting(JSON.stringify({ id: 'evt_old', occurred_at: new Date(Date.now() - 60_000) })),
      ...eventsOf(2),
    ]);
    expect(await metricsOf(outbox)).toMatch(/^audit_outbox_events 3$/m);
    expect(await metricsOf(outbox)).toMatch(/^audit_outbox_oldest_seconds 6\d(\.\d+)?$/m);
    sink.isAway = false;
    await allArrived(3);
    await eventually('no age of waiting events', async () =>
      /^audit_outbox_oldest_seconds 0$/m.test(await metricsOf(outbox)),
    );
  });

  it('are counted as lost if they cannot be delivered before shutdown', async () => {
    sink.isAway = true;
    const outbox = memoryOutbox();
    outbox.add(eventsOf(3));
    await outbox.close(5000);
    expect([results.get('dropped'), logged.includes('before shutdown')]).toEqual([3, true]);
  });

  it('are delivered although another one is refused', async () => {
    const poison = JSON.stringify({ id: 'evt_poison', poison: true });
    memoryOutbox().add([...eventsOf(2), waiting(poison), ...eventsOf(2, 'later')]);
    await eventually('a refusal', () => refused.length > 0);
    await allArrived(4);
    expect([refused, sink.events.has('evt_poison')]).toEqual([[poison], false]);
  });
});

const [DONE, REFUSALS] = [streamOf('done'), streamOf('refusals')];
const ALL_KEYS = [
  ...[DONE, REFUSALS].flatMap((stream) => [stream, `${stream}:bytes`]),
  UNREADABLE_STREAM,
  'audit:refused',
];

const newKey = (id: string): string => `${id}:${randomBytes(32).toString('base64')}`;
const [OLD, NEW] = [newKey('old'), newKey('new')];
const KEYS = parseEncryptionKeys(OLD);

onRedis.describe.each(places)('events in %s', (_name, place) => {
  let keyPrefix: string;
  let connections: RedisClient[];
  beforeEach(() => {
    keyPrefix = `test-${randomUUID()}:`;
    connections = [];
  });
  afterEach(async () => {
    await Promise.all(outboxes.splice(0).map((outbox) => outbox.close(1000)));
    const own = connections.find(({ status }) => status === 'ready');
    if (own) for (const key of ALL_KEYS) await own.del(key);
    for (const connection of connections) connection.disconnect();
  });

  async function connect(settings = place): Promise<RedisClient> {
    // Longer than in production: on a machine that is busy with other tests, a timeout would send the events to memory.
    const redis = await connectRedis(settings, {
      keyPrefix,
      commandTimeoutMs: 5000,
      onError: () => undefined,
    });
    connections.push(redis);
    return redis;
  }
  async function streamOutbox(
    options: {
      redis?: RedisClient;
      keys?: EncryptionKeys;
      maxBytes?: number;
      memoryBytes?: number;
      abandonedMs?: number;
    } = {},
  ) {
    const { redis = await connect(), keys = KEYS, maxBytes = 16_777_216 } = options;
    const { memoryBytes = 1_000_000, abandonedMs } = options;
    const fallback = createMemoryOutbox({ ...common(), bounds: boundsOf(memoryBytes) });
    return remember(
      createStreamOutbox({
        ...common(),
        redis,
        keys,
        fallback,
        bounds: boundsOf(maxBytes),
        ...(abandonedMs !== undefined && { abandonedMs }),
      }),
    );
  }

  const laneStream = (
    redis: RedisClient,
    keys = KEYS,
    onSetAside: (count: number) => void = () => undefined,
  ) => createLaneStream({ redis, keys, stream: DONE, onSetAside });
  const addSealed = (redis: RedisClient, sealed: Buffer, organizationId = 'org_acme') =>
    redis.xadd(DONE, '*', 'sealed', sealed, 'organization', organizationId);
  const sealedFor = (stream: string, json: string, organizationId = 'org_acme', keys = KEYS): Buffer =>
    createEventSeal(keys, stream).seal(organizationId, json);
  /** Returns what can be read in Redis without a key: names and values of all fields of all events. */
  async function readable(redis: RedisClient): Promise<string> {
    const streams = [DONE, REFUSALS, UNREADABLE_STREAM, 'audit:refused'];
    const entries = await Promise.all(streams.map((stream) => redis.xrangeBuffer(stream, '-', '+')));
    const hashes = await Promise.all([DONE, REFUSALS].map((stream) => redis.hgetall(`${stream}:bytes`)));
    const fields = entries.flat().flatMap(([, values]) => values.map((value) => value.toString('latin1')));
    return `${fields.join('\n')}\n${JSON.stringify(hashes)}`;
  }

  it('reveal only their organization, while they wait and after they were refused', async () => {
    sink.isAway = true;
    const redis = await connect();
    const outbox = await streamOutbox({ redis });
    const facts = { id: 'evt_shown', action: 'tool.called', actor: 'user_alice', targets: ['con_bank'] };
    const event = JSON.stringify(facts);
    outbox.add([waiting(event), waiting(event, 'org_globex', 'refusals')]);
    await eventually(
      'two events in the streams',
      async () => (await redis.xlen(DONE)) + (await redis.xlen(REFUSALS)) === 2,
    );
    await createRefusedEvents({ redis, keys: KEYS }).keep(event);
    const seen = await readable(redis);
    for (const text of [
      'evt_shown',
      'tool.called',
      'user_alice',
      'con_bank',
      'actor',
      Buffer.from(event).toString('base64').slice(4, 24),
    ])
      expect(seen).not.toContain(text);
    expect([seen.includes('org_acme'), seen.includes('org_globex')]).toEqual([true, true]);
    sink.isAway = false;
    await allArrived(1);
  });

  it('are counted with the bytes of their encrypted form', async () => {
    const redis = await connect();
    await laneStream(redis).add([waiting('{"id":"evt_é"}')], { maxBytes: 1_000_000, sharePercent: 10 });
    const [[, fields] = ['', []]] = await redis.xrangeBuffer(DONE, '-', '+');
    const bytes = (fields[1]?.length ?? 0) + 100;
    expect(await redis.hgetall(`${DONE}:bytes`)).toEqual({ 'of:org_acme': `${bytes}`, total: `${bytes}` });
  });

  it('encrypted with the former key are delivered after a rotation', async () => {
    const redis = await connect();
    await addSealed(redis, sealedFor(DONE, '{"id":"evt_old"}'));
    await addSealed(redis, sealedFor(DONE, '{"id":"evt_new"}', 'org_acme', parseEncryptionKeys(NEW)));
    await streamOutbox({ redis, keys: parseEncryptionKeys(`${NEW},${OLD}`) });
    await allArrived(2);
    await eventually('an empty stream', async () => (await redis.xlen(DONE)) === 0);
    expect([[...sink.events.keys()], results.get('unreadable')]).toEqual([['evt_old', 'evt_new'], undefined]);
  });

  it.each<[string, () => { sealed: Buffer; organizationId?: string }]>([
    [
      'with a key that nobody has',
      () => ({ sealed: sealedFor(DONE, '{"id":"evt_bad"}', 'org_acme', parseEncryptionKeys(NEW)) }),
    ],
    ['for the other stream', () => ({ sealed: sealedFor(REFUSALS, '{"id":"evt_bad"}') })],
    [
      'for another organization',
      () => ({ sealed: sealedFor(DONE, '{"id":"evt_bad"}'), organizationId: 'org_globex' }),
    ],
    ['not at all', () => ({ sealed: Buffer.from('{"id":"evt_bad"}') })],
    [
      'and then altered',
      () => {
        const sealed = sealedFor(DONE, '{"id":"evt_bad"}');
        sealed.writeUInt8(sealed.readUInt8(sealed.length - 1) ^ 1, sealed.length - 1);
        return { sealed };
      },
    ],
  ])('that were encrypted %s are set aside, and the others are delivered', async (_case, make) => {
    const redis = await connect();
    const { sealed, organizationId } = make();
    for (let i = 0; i < 3; i += 1) await addSealed(redis, sealed, organizationId);
    await addSealed(redis, sealedFor(DONE, '{"id":"evt_good"}'));
    await streamOutbox({ redis, abandonedMs: 0 });
    await allArrived(1);
    await eventually('an empty stream', async () => (await redis.xlen(DONE)) === 0);
    expect([[...sink.events.keys()], results.get('unreadable')]).toEqual([['evt_good'], 3]);
    expect(logged.match(/cannot be decrypted and are set aside/g)).toHaveLength(1);
    expect(logged).not.toContain('evt_bad');
    const kept = await redis.xrangeBuffer(UNREADABLE_STREAM, '-', '+');
    expect(kept.map(([, fields]) => fields[1]?.equals(sealed))).toEqual([true, true, true]);
    expect(await redis.xpending(DONE, 'hubs')).toEqual([0, null, null, null]);
  });

  it('free their bytes when they cannot be decrypted', async () => {
    const redis = await connect();
    const other = laneStream(redis, parseEncryptionKeys(NEW));
    await other.add(eventsOf(3), { maxBytes: 1_000_000, sharePercent: 10 });
    await streamOutbox({ redis });
    await eventually('three unreadable events', async () => (await redis.xlen(UNREADABLE_STREAM)) === 3);
    expect(await redis.hgetall(`${DONE}:bytes`)).toEqual({ total: '0' });
  });

  it('can be read after being set aside if their key is known', async () => {
    const redis = await connect();
    const added = laneStream(redis, parseEncryptionKeys(NEW));
    await added.add(eventsOf(1), { maxBytes: 1_000_000, sharePercent: 10 });
    await (await laneStream(redis).take())?.done();
    const withKeys = (keys: string) => createUnreadableEvents({ redis, keys: parseEncryptionKeys(keys) });
    expect(await withKeys(OLD).read(undefined, 10)).toMatchObject([{ event: undefined }]);
    const [found] = await withKeys(`${OLD},${NEW}`).read(undefined, 10);
    expect(found?.event).toBe('{"id":"evt_0"}');
    expect(await withKeys(NEW).read(found?.id, 10)).toEqual([]);
    await withKeys(NEW).remove([found?.id ?? '']);
    expect(await redis.xlen(UNREADABLE_STREAM)).toBe(0);
  });

  it('can be read after being refused while their key is known', async () => {
    const redis = await connect();
    await createRefusedEvents({ redis, keys: KEYS }).keep('{"id":"evt_sealed"}');
    const eventsWith = async (keys: string) =>
      (await createRefusedEvents({ redis, keys: parseEncryptionKeys(keys) }).read(undefined, 10)).map(
        ({ event }) => event,
      );
    expect(await eventsWith(`${NEW},${OLD}`)).toEqual(['{"id":"evt_sealed"}']);
    expect(await eventsWith(NEW)).toEqual([undefined]);
  });

  it('are delivered once each by one of two hubs, and then deleted from the stream', async () => {
    const [redis, one, other] = [await connect(), await streamOutbox(), await streamOutbox()];
    for (const event of eventsOf(300, 'one')) one.add([event]);
    for (const event of eventsOf(300, 'other')) other.add([event]);
    await allArrived(600);
    await eventually('an empty stream', async () => (await redis.xlen(DONE)) === 0);
    expect([occurrences(), results.get('deferred')]).toEqual([[1], undefined]);
  });

  it('are reported by each hub while they wait, and not while Redis is down', async () => {
    sink.isAway = true;
    const redis = await connect();
    const [one, other] = [await streamOutbox(), await streamOutbox({ redis })];
    one.add(eventsOf(3));
    for (const outbox of [one, other])
      await eventually('a backlog of three', async () =>
        /^audit_outbox_events 3$/m.test(await metricsOf(outbox)),
      );
    const age = Number(/^audit_outbox_oldest_seconds (\S+)$/m.exec(await metricsOf(other))?.[1]);
    expect(age).toBeLessThan(60);
    redis.disconnect();
    await eventually('no backlog', async () => /^audit_outbox_events 0$/m.test(await metricsOf(other)));
    sink.isAway = false;
    await allArrived(3);
  });

  it('outlive the hub that wrote them and an outage of management-api', async () => {
    sink.isAway = true;
    const first = await streamOutbox();
    first.add(eventsOf(250));
    await eventually('further requests', () => sink.requests > 2);
    await first.close(1000);
    sink.isAway = false;
    await streamOutbox({ abandonedMs: 0 });
    await allArrived(250);
    expect(results.get('dropped')).toBeUndefined();
  });

  it('are claimed by another hub if the one that read them died', async () => {
    const redis = await connect();
    await addSealed(redis, sealedFor(DONE, JSON.stringify({ id: 'evt_orphan' })));
    const dead = laneStream(redis);
    expect((await dead.take())?.events).toHaveLength(1); // and never acknowledges it
    await streamOutbox({ abandonedMs: 0 });
    await allArrived(1);
    await eventually('an empty stream', async () => (await redis.xlen(DONE)) === 0);
    expect(occurrences()).toEqual([1]);
  });

  it('are not claimed from a living hub that has read them', async () => {
    const redis = await connect();
    await addSealed(redis, sealedFor(DONE, JSON.stringify({ id: 'evt_held' })));
    const living = laneStream(redis);
    const held = await living.take();
    expect(await laneStream(redis).take()).toBeUndefined();
    await held?.done();
    expect(await redis.xlen(DONE)).toBe(0);
  });

  it('leave no consumer behind when a hub shuts down', async () => {
    const redis = await connect();
    const outbox = await streamOutbox();
    outbox.add(eventsOf(3));
    await allArrived(3);
    await outbox.close(1000);
    outboxes.pop();
    expect(await redis.xinfo('CONSUMERS', DONE, 'hubs')).toEqual([]);
  });

  it('are delivered although another one is refused', async () => {
    const poison = JSON.stringify({ id: 'evt_poison', poison: true });
    const redis = await connect();
    (await streamOutbox({ redis })).add([...eventsOf(2), waiting(poison), ...eventsOf(2, 'later')]);
    await allArrived(4);
    await eventually('an empty stream', async () => (await redis.xlen(DONE)) === 0);
    expect(refused).toEqual([poison]);
  });

  it('are delivered although another one is not JSON', async () => {
    const redis = await connect();
    (await streamOutbox({ redis })).add([...eventsOf(2), waiting('{"id":'), ...eventsOf(2, 'later')]);
    await allArrived(4);
    await eventually('an empty stream', async () => (await redis.xlen(DONE)) === 0);
    expect(refused).toEqual(['{"id":']);
  });

  it('are stored in memory while Redis is down', async () => {
    const redis = await connect({ ...place, urls: ['redis://127.0.0.1:1'] });
    (await streamOutbox({ redis })).add(eventsOf(20));
    await allArrived(20);
    expect([occurrences(), results.get('deferred')]).toEqual([[1], 20]);
  });

  it('wait in memory if Redis has no room, and are counted and reported once if memory has none either', async () => {
    sink.isAway = true;
    const redis = await connect();
    const outbox = await streamOutbox({ redis, maxBytes: 40_000, memoryBytes: 40_000 });
    for (let i = 0; i < 10; i += 1) outbox.add(eventsOf(100, `evt_${i}`));
    await eventually('dropped events', () => (results.get('dropped') ?? 0) > 500);
    expect(results.get('deferred')).toBeGreaterThan(results.get('dropped') ?? 0);
    expect(await redis.xlen(DONE)).toBeLessThan(200);
    expect(logged.match(/audit events are lost/g)).toHaveLength(1);
  });

  it('of one organization leave room for those of others, and events of refusals for those of executed calls', async () => {
    sink.isAway = true;
    const redis = await connect();
    const outbox = await streamOutbox({ redis, maxBytes: 40_000, memoryBytes: 0 });
    outbox.add(eventsOf(1000, 'flood', 'org_flood'));
    outbox.add(eventsOf(1000, 'refused', 'org_modest', 'refusals'));
    await eventually('dropped events', () => (results.get('dropped') ?? 0) > 1000);
    const before = results.get('dropped');
    outbox.add(MODEST);
    await eventually(
      'the size of what waits',
      async () => (await redis.hget(`${DONE}:bytes`, 'of:org_modest')) !== null,
    );
    expect(results.get('dropped')).toBe(before);
  });

  it('free their bytes after delivery', async () => {
    const redis = await connect();
    const outbox = await streamOutbox({ redis });
    outbox.add(eventsOf(300, 'é'));
    await allArrived(300);
    await eventually('an empty stream', async () => (await redis.xlen(DONE)) === 0);
    expect(await redis.hgetall(`${DONE}:bytes`)).toEqual({ total: '0' });
  });

  it('survive the removal of the stream', async () => {
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
