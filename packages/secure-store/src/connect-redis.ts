import type { Cluster, Redis } from 'ioredis';
import { batchWrites } from './batch-writes.ts';
import type { RedisSentinels, RedisSettings } from './redis-settings.ts';

/** A single server, or the master that sentinels name; or a cluster. */
export type RedisClient = Redis | Cluster;

/** Tells the clients apart without their classes, which are loaded only where Redis is used. */
export const isCluster = (client: RedisClient): client is Cluster => 'nodes' in client;

type Library = Pick<typeof import('ioredis'), 'Redis' | 'Cluster'>;

export interface RedisOptions {
  /** Prefix of every key */
  readonly keyPrefix?: string;
  /** Name of the connections in `CLIENT LIST`: the service's, such as `tool-hub` */
  readonly connectionName?: string;
  /** Overrides the setting */
  readonly commandTimeoutMs?: number;
  /** Called for each connection error; for those of one node of a cluster, every few seconds */
  readonly onError: (err: Error) => void;
}

type TimedOptions = RedisOptions & { readonly commandTimeoutMs: number };

/** Longest wait at the start, for example for a cluster that has lost some of its nodes. */
const START_TIMEOUT_MS = 3000;
/** Interval of asking a cluster for its slots after it has lost a node, until the replacing replica is known. */
const SLOTS_REFRESH_MS = 1000;
/** Minimum interval between reports of the same node's errors. */
const REPORT_AGAIN_MS = 5000;
const REDIS_PORT = 6379;
const SENTINEL_PORT = 26_379;

/**
 * Connects, or starts to: an unreachable Redis is retried in the background and never stops a service from starting.
 * Commands fail fast (no queue while disconnected, a time limit each), so that nothing hangs with Redis.
 */
export async function connectRedis(url: string, options: RedisOptions): Promise<Redis>;
export async function connectRedis(settings: RedisSettings, options: RedisOptions): Promise<RedisClient>;
export async function connectRedis(
  target: string | RedisSettings,
  given: RedisOptions,
): Promise<RedisClient> {
  const settings: RedisSettings = typeof target === 'string' ? { mode: 'single', urls: [target] } : target;
  const options = { ...given, commandTimeoutMs: commandTimeoutOf(settings, given) };
  const library = await import('ioredis');
  const client = open(library, settings, options);
  client.on('error', options.onError);
  if (!isCluster(client)) batchWrites(client);
  let timer: NodeJS.Timeout | undefined;
  const giveUp = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, START_TIMEOUT_MS);
    client.once('error', () => resolve()); // sentinels are queried repeatedly, and `connect` never reports a failure
  });
  // A rejection carries the same information as the `error` event; the client keeps trying.
  await Promise.race([connect(client).catch(() => undefined), giveUp]);
  clearTimeout(timer);
  if (client.status !== 'ready' && settings.mode !== 'single') await reportWhy(library, settings, options);
  return client;
}

const COMMAND_TIMEOUT_MS = 250;

export const commandTimeoutOf = (settings: RedisSettings, options: RedisOptions): number =>
  options.commandTimeoutMs ?? settings.commandTimeoutMs ?? COMMAND_TIMEOUT_MS;

/**
 * ioredis reports of nodes and sentinels only that a connection was closed; this finds the reason, such as a rejected
 * certificate.
 */
async function reportWhy({ Redis }: Library, settings: RedisSettings, options: TimedOptions): Promise<void> {
  const { tls, username, password } = commonOf(settings);
  const isSentinel = settings.mode === 'sentinel';
  const credentials = isSentinel ? { password: settings.sentinelPassword } : { username, password };
  const probe = new Redis({
    ...connectionOptions(options),
    ...addressOf(settings.urls[0] ?? '', isSentinel ? SENTINEL_PORT : REDIS_PORT),
    ...Object.fromEntries(Object.entries(credentials).filter(([, value]) => value !== undefined)),
    ...(tls && { tls: {} }),
    retryStrategy: () => null,
  });
  probe.on('error', options.onError);
  await probe.connect().catch(() => undefined);
  probe.disconnect();
}

async function connect(client: RedisClient): Promise<void> {
  await client.connect();
  if (isCluster(client)) await connectNodes(client);
}

/** A node is connected to at its first command; a second command sent meanwhile would fail. */
async function connectNodes(cluster: Cluster): Promise<void> {
  await Promise.all(cluster.nodes().map(connectNode));
}

/** Rejected where the first command was earlier, which does no harm. */
const connectNode = (node: Redis): Promise<void> => node.connect().catch(() => undefined);

function open(library: Library, settings: RedisSettings, options: TimedOptions): RedisClient {
  switch (settings.mode) {
    case 'single':
      return openSingle(library, settings, options);
    case 'sentinel':
      return openSentinel(library, settings, options);
    case 'cluster':
      return openCluster(library, settings, options);
  }
}

/** Options common to all connections. */
const connectionOptions = (options: TimedOptions) => ({
  lazyConnect: true,
  ...(options.connectionName !== undefined && { connectionName: options.connectionName }),
  maxRetriesPerRequest: 1,
  // A command whose answer was lost may have had its effect: sent again, it would be counted, or used, twice.
  autoResendUnfulfilledCommands: false,
  connectTimeout: 1000,
  // Detects a peer that vanished without closing the connection, as after a failover: TCP alone would need a quarter of
  // an hour. Commands time out first: closing the connection would lose their responses.
  socketTimeout: Math.max(2000, options.commandTimeoutMs + 250),
  disconnectTimeout: 250,
  commandTimeout: options.commandTimeoutMs,
});

const masterOptions = (options: TimedOptions) => ({
  ...connectionOptions(options),
  enableOfflineQueue: false,
  retryStrategy: (attempt: number) => Math.min(attempt * 100, 2000),
  // A demoted master keeps responding; a command that it refused had no effect.
  reconnectOnError: (err: Error) => err.message.startsWith('READONLY'),
});

const openSingle = (
  { Redis }: Library,
  { urls: [url = ''], password }: RedisSettings,
  options: TimedOptions,
): Redis =>
  new Redis(password === undefined ? url : withPassword(url, password), {
    ...masterOptions(options),
    keyPrefix: options.keyPrefix ?? '',
  });

/** Returns a URL with the password, because ioredis prefers the empty one of a URL with a user to its option. */
function withPassword(text: string, password: string): string {
  const url = new URL(text);
  url.password = encodeURIComponent(password);
  return url.href;
}

function openSentinel({ Redis }: Library, settings: RedisSentinels, options: TimedOptions): Redis {
  const { db, tls, ...credentials } = commonOf(settings);
  const { sentinelName, sentinelPassword } = settings;
  return new Redis({
    ...masterOptions(options),
    ...credentials,
    db,
    sentinels: settings.urls.map((url) => addressOf(url, SENTINEL_PORT)),
    name: sentinelName,
    ...(sentinelPassword !== undefined && { sentinelPassword }),
    ...(tls && { tls: {}, sentinelTLS: {}, enableTLSForSentinelMode: true }),
    sentinelCommandTimeout: 1000,
    sentinelRetryStrategy: (attempt) => Math.min(attempt * 100, 1000),
    // Reports a new master even while the connection to the old one is open.
    failoverDetector: true,
    sentinelReconnectStrategy: () => 5000,
    keyPrefix: options.keyPrefix ?? '',
  });
}

/**
 * Every command goes to the master of its key's slot, and after a redirection (MOVED, ASK) to the named node: the
 * redirecting node has not executed it. Nothing else is sent twice, and nothing waits for a cluster to recover.
 */
function openCluster({ Cluster }: Library, settings: RedisSettings, options: TimedOptions): Cluster {
  const { tls, username, password } = commonOf(settings);
  const cluster = new Cluster(
    settings.urls.map((url) => addressOf(url, REDIS_PORT)),
    {
      lazyConnect: true,
      enableOfflineQueue: false,
      scaleReads: 'master', // replicas lag behind, and would not know of a revocation
      maxRedirections: 4,
      // 0: a connection lost during a command, or a cluster that is down, is an outage at once.
      retryDelayOnFailover: 0,
      retryDelayOnClusterDown: 0,
      // Occurs only for commands with several keys, and we send none.
      retryDelayOnTryAgain: 50,
      slotsRefreshTimeout: 1000,
      clusterRetryStrategy: (attempt) => Math.min(attempt * 100, 2000),
      // Host names are not replaced by addresses, so that a certificate can be compared with them; each connection
      // resolves them.
      dnsLookup: (host, callback) => callback(null, host),
      keyPrefix: options.keyPrefix ?? '',
      // Nodes have no retryStrategy: a lost one is dropped, and found again if the cluster still names it.
      redisOptions: {
        ...connectionOptions(options),
        ...(username !== undefined && { username }),
        ...(password !== undefined && { password }),
        ...(tls && { tls: {} }),
      },
    },
  );
  refreshSlots(cluster);
  const reportedAt = new Map<string, number>();
  cluster.on('node error', (err: Error, node: string) => {
    const now = performance.now();
    // While a node is down, each command for it ends in such an error.
    if (now - (reportedAt.get(node) ?? Number.NEGATIVE_INFINITY) < REPORT_AGAIN_MS) return;
    reportedAt.set(node, now);
    options.onError(err);
  });
  // Not earlier: ioredis asks an unconnected node whether the cluster is usable.
  cluster.on('ready', () => void connectNodes(cluster));
  cluster.on('+node', (node: Redis) => {
    batchWrites(node);
    // Later than the command for whose sake it was found, which is the last that it would queue.
    queueMicrotask(() => cluster.status === 'ready' && void connectNode(node));
  });
  return cluster;
}

/**
 * Runs on a timer, because a command that found its node gone is not retried. ioredis' own interval never stops if its
 * client is closed during a slot refresh, and keeps the process alive.
 */
function refreshSlots(cluster: Cluster): void {
  const timer = setInterval(() => {
    if (cluster.status === 'ready') cluster.refreshSlotsCache();
  }, SLOTS_REFRESH_MS);
  timer.unref();
  cluster.once('end', () => clearInterval(timer));
}

/** Options common to all nodes. */
function commonOf({ urls: [first = ''], password }: RedisSettings) {
  const url = new URL(first);
  const fromUrl = url.password === '' ? undefined : decodeURIComponent(url.password);
  const known = password ?? fromUrl;
  return {
    tls: url.protocol === 'rediss:',
    db: Number(url.pathname.slice(1)) || 0,
    ...(url.username !== '' && { username: decodeURIComponent(url.username) }),
    ...(known !== undefined && { password: known }),
  };
}

function addressOf(text: string, defaultPort: number): { host: string; port: number } {
  const { hostname, port } = new URL(text);
  return { host: hostname.replace(/^\[|\]$/g, ''), port: Number(port) || defaultPort };
}
