import type { BenchPath, Load } from '../harness/bench-path.ts';
import { openRedis } from '../harness/servers.ts';
import type { Program } from '../harness/target.ts';
import { delegate } from '../tools-call/delegate.ts';
import { mcpCall } from '../tools-call/mcp-call.ts';
import { ONE_CONNECTOR, openWorld, type World } from '../tools-call/open-world.ts';
import { WORLD_PATHS } from '../tools-call/scene.ts';
import { isPresent, toCallExchange } from '../tools-call/tools-call.ts';

export const ADDED_LATENCY_PATH = 'what the hub adds to a call';

/** Users of every load that does not vary them */
const USERS = 10;
const PROCESSES = [2, 4] as const;
export const REQUESTS_PER_ROUND = 500;
/** A fraction of what one hub can do, so that requests rarely wait for each other */
const REQUESTS_PER_SECOND = 400;

/** A warm call through the hub, and at the tool server directly; by connections and by processes of the hub. */
export async function openAddedLatencyPath(): Promise<BenchPath> {
  const { world, path } = await openScene(Math.max(...PROCESSES));
  const exchanges = (await signIdTokens(world, 0, USERS)).map(toCallExchange);
  const load = (name: string, connections: number, options?: Partial<Load>): Load => ({
    ...{ name, connections, processes: 1, requestsPerRound: REQUESTS_PER_ROUND, ...options },
    exchanges: async (count) =>
      Array.from({ length: count }, (_, i) => exchanges[i % USERS]).filter(isPresent),
  });
  return {
    name: ADDED_LATENCY_PATH,
    ...path,
    loads: [
      load('1 connection', 1),
      load('16 connections', 16),
      load('64 connections', 64),
      ...PROCESSES.map((processes) => load(`64 connections, ${processes} processes`, 64, { processes })),
      load(`64 connections, ${REQUESTS_PER_SECOND} requests/s`, 64, {
        requestsPerSecond: REQUESTS_PER_SECOND,
      }),
    ],
  };
}

export interface Scene {
  readonly world: World;
  readonly redisUrl: string;
  readonly path: Pick<BenchPath, 'isFloorBehindTarget' | 'target' | 'floor' | 'peers' | 'close'>;
}

/** The hub with its tokens in Redis, as replicas have them, and the tool server behind it. */
export async function openScene(processes: number): Promise<Scene> {
  const redis = await openRedis(process.env);
  const world = await openWorld([ONE_CONNECTOR]).catch(async (err: unknown) => {
    await redis.stop();
    throw err;
  });
  const env = {
    ...world.hub.env,
    REDIS_URL: redis.redisUrl,
    ENCRYPTION_KEYS: `k1:${Buffer.alloc(32, 1).toString('base64')}`,
  };
  const path = {
    isFloorBehindTarget: true,
    target: { ...world.hub, env, processes },
    floor: directly(world),
    peers: [],
    async close() {
      await world.close();
      await redis.stop();
    },
  };
  return { world, redisUrl: redis.redisUrl, path };
}

/** The tool server, called as the hub calls it. */
const directly = (world: World): Program => ({
  ...world.toolServer,
  name: 'tool server, called directly',
  async prepare(origin) {
    const [idToken = ''] = await signIdTokens(world, 0, 1);
    const call = mcpCall(await delegate(origin, idToken));
    return (exchange) => ({ ...exchange, path: WORLD_PATHS.mcp, ...call });
  },
});

export const userOf = (number: number): string => `user_${number}`;

/** Signs an ID token for each user of a range. */
export const signIdTokens = (world: World, from: number, to: number): Promise<string[]> =>
  Promise.all(Array.from({ length: to - from }, (_, i) => world.signIdToken(userOf(from + i))));
