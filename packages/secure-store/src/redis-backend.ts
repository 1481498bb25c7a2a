import { Cluster } from 'ioredis';
import { type Backend, checkTtl } from './backend.ts';
import type { RedisClient } from './connect-redis.ts';

/** KEYS[1] key, ARGV[1] the expected value, ARGV[2] the new one, if there is to be one. */
const REPLACE = `
if redis.call('GET', KEYS[1]) ~= ARGV[1] then return 0 end
if ARGV[2] then redis.call('SET', KEYS[1], ARGV[2], 'KEEPTTL') else redis.call('DEL', KEYS[1]) end
return 1`;

/** What was stored did not reach enough replicas in time: a failover now would forget it. */
export class NotReplicated extends Error {
  override readonly name = 'NotReplicated';
  constructor(
    readonly replicas: number,
    readonly wanted: number,
  ) {
    super(`stored at ${replicas} of ${wanted} replicas`);
  }
}

/** That what was added is at replicas, too, before it counts. */
export interface Confirmation {
  /** A connection of its own: whatever is behind a `WAIT` on the same one waits with it. */
  readonly redis: RedisClient;
  readonly replicas: number;
  /** Shorter than the time limit of commands, so that it is known what is missing */
  readonly timeoutMs: number;
}

/**
 * One key per command, so that Redis Cluster can serve it: no key has a hash tag that would put it beside another.
 * @param confirmation with it, {@link Backend.add} rejects with {@link NotReplicated} what a failover could forget
 */
export function createRedisBackend(redis: RedisClient, confirmation?: Confirmation): Backend {
  return {
    get: async (key) => (await redis.getBuffer(key)) ?? undefined,
    getMany:
      redis instanceof Cluster
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
    async replace(key, expected, value) {
      return (await redis.eval(REPLACE, 1, key, expected, ...(value ? [value] : []))) === 1;
    },
    delete: async (key) => (await redis.del(key)) === 1,
    async ping() {
      if (redis instanceof Cluster) await pingCluster(redis);
      else await redis.ping();
    },
  };
}

/** As long as one node says that the cluster can be used: one that is lost must not make all processes unready by turns. */
async function pingCluster(cluster: Cluster): Promise<void> {
  const nodes = cluster.nodes('master').filter(({ status }) => status === 'ready');
  await Promise.any(
    nodes.map(async (node) => {
      const info = await node.cluster('INFO');
      if (!/^cluster_state:ok/m.test(String(info))) throw new Error('the cluster is down');
    }),
  );
}

/** In one pipeline: `WAIT` has no key, and must follow what it waits for on the same connection to the same node. */
async function addConfirmed(
  { redis, replicas, timeoutMs }: Confirmation,
  key: string,
  value: Buffer,
  ttlSeconds: number,
): Promise<boolean> {
  // Of a cluster that was never found, ioredis would keep the pipeline until it is.
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
