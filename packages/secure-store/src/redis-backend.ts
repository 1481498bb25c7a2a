import type { Cluster } from 'ioredis';
import { type Backend, checkTtl } from './backend.ts';
import { isCluster, type RedisClient } from './connect-redis.ts';

/** KEYS[1] key, ARGV[1] the expected value, ARGV[2] the new value, if any, ARGV[3] its time to live, if it changes. */
const REPLACE = `
if redis.call('GET', KEYS[1]) ~= ARGV[1] then return 0 end
if ARGV[3] then redis.call('SET', KEYS[1], ARGV[2], 'EX', ARGV[3])
elseif ARGV[2] then redis.call('SET', KEYS[1], ARGV[2], 'KEEPTTL') else redis.call('DEL', KEYS[1]) end
return 1`;

/** The write did not reach enough replicas in time: a failover now could lose it. */
export class NotReplicated extends Error {
  override readonly name = 'NotReplicated';
  constructor(
    readonly replicas: number,
    readonly wanted: number,
  ) {
    super(`stored at ${replicas} of ${wanted} replicas`);
  }
}

/** Requires replicas to have a write before it counts. */
export interface Confirmation {
  /** A separate connection: commands behind a `WAIT` on the same one wait with it. */
  readonly redis: RedisClient;
  readonly replicas: number;
  /** Shorter than the time limit of commands, so that the error can say that replicas are missing */
  readonly timeoutMs: number;
}

/**
 * One key per command, so that Redis Cluster can serve it: no hash tag puts two keys on the same node.
 * @param confirmation makes {@link Backend.add} reject with {@link NotReplicated} if a failover could lose the entry
 */
export function createRedisBackend(redis: RedisClient, confirmation?: Confirmation): Backend {
  return {
    get: async (key) => (await redis.getBuffer(key)) ?? undefined,
    getMany: isCluster(redis)
      ? (keys) => Promise.all(keys.map(async (key) => (await redis.getBuffer(key)) ?? undefined))
      : async (keys) => (await redis.mgetBuffer([...keys])).map((value) => value ?? undefined),
    async set(key, value, ttlSeconds) {
      checkTtl(ttlSeconds);
      await redis.set(key, value, 'EX', ttlSeconds);
    },
    async add(key, value, ttlSeconds) {
      checkTtl(ttlSeconds);
      if (confirmation) return addConfirmed(confirmation, key, value, ttlSeconds);
      return (await redis.set(key, value, 'EX', ttlSeconds, 'NX')) === 'OK';
    },
    async replace(key, expected, value, ttlSeconds) {
      if (ttlSeconds !== undefined) checkTtl(ttlSeconds);
      const next = value ? [value, ...(ttlSeconds === undefined ? [] : [ttlSeconds])] : [];
      return (await redis.eval(REPLACE, 1, key, expected, ...next)) === 1;
    },
    delete: async (key) => (await redis.del(key)) === 1,
    async ping() {
      if (isCluster(redis)) await pingCluster(redis);
      else await redis.ping();
    },
  };
}

/**
 * Succeeds while any node reports that the cluster is usable: one lost node must not make all processes unready in
 * turn.
 */
async function pingCluster(cluster: Cluster): Promise<void> {
  const nodes = cluster.nodes('master').filter(({ status }) => status === 'ready');
  await Promise.any(
    nodes.map(async (node) => {
      const info = await node.cluster('INFO');
      if (!/^cluster_state:ok/m.test(String(info))) throw new Error('the cluster is down');
    }),
  );
}

/** Adds an entry in one pipeline: `WAIT` has no key, and must follow its write on the same connection to the same node. */
async function addConfirmed(
  { redis, replicas, timeoutMs }: Confirmation,
  key: string,
  value: Buffer,
  ttlSeconds: number,
): Promise<boolean> {
  // ioredis would queue the pipeline until a cluster is found.
  if (redis.status !== 'ready') throw new Error('Redis is not connected');
  const results = await redis
    .pipeline()
    .set(key, value, 'EX', ttlSeconds, 'NX')
    .wait(replicas, timeoutMs)
    .exec();
  const [stored, waited] = results ?? [];
  const err = stored?.[0] ?? waited?.[0];
  if (err || !stored || !waited) throw err ?? new Error('Redis did not answer');
  if (stored[1] !== 'OK') return false;
  const reached = Number(waited[1]);
  if (reached < replicas) throw new NotReplicated(reached, replicas);
  return true;
}
