import { setTimeout as sleep } from 'node:timers/promises';
import { Redis } from 'ioredis';
import type { BenchPath, Load } from '../harness/bench-path.ts';
import { drive, type Exchange } from '../harness/load.ts';
import { CONNECTOR_ID, ORGANIZATION_ID } from '../tools-call/scene.ts';
import { toCallExchange } from '../tools-call/tools-call.ts';
import { openScene, REQUESTS_PER_ROUND, signIdTokens, userOf } from './added-latency.ts';

export const ADDED_BY_USERS_PATH = 'what the hub adds to a call as its users grow';

const USERS = [10, 1000, 100_000] as const;
const CONNECTIONS = 16;
/** Users who call: one for each request of a full run. The access tokens of all others are only in Redis. */
const CALLERS = 6000;
/** Time for which the hub keeps verified ID tokens and decrypted entries in its own memory */
const HUB_MEMORY_MS = 60_000;
/** ID tokens that are signed at once, and commands that are sent to Redis at once */
const BATCH = 1000;

/**
 * A warm call with one hub whose cache has the access tokens of all users. The rounds of a load go on with the next
 * users.
 */
export async function openAddedByUsersPath({ maxUsers }: { maxUsers: number }): Promise<BenchPath> {
  const { world, redisUrl, path } = await openScene(1);
  const exchanges: Exchange[] = [];
  const load = (users: number): Load => {
    const callers = Math.min(users, CALLERS);
    let next = 0;
    return {
      name: `${users.toLocaleString('en')} users, ${CONNECTIONS} connections`,
      connections: CONNECTIONS,
      requestsPerRound: REQUESTS_PER_ROUND,
      exchanges: async (count) => Array.from({ length: count }, () => exchanges[next++ % callers] ?? never()),
    };
  };
  return {
    name: ADDED_BY_USERS_PATH,
    ...path,
    target: {
      ...path.target,
      async prepare(origin) {
        // The first lookup of a process can exceed the time limit for Redis, and then the access token is not cached.
        const [first = ''] = await signIdTokens(world, 0, 1);
        await drive([origin], [toCallExchange(first)], { connections: 1 });
        for (let from = 0; from < Math.min(maxUsers, CALLERS); from += BATCH) {
          const batch = (await signIdTokens(world, from, from + BATCH)).map(toCallExchange);
          const { errors } = await drive([origin], batch, { connections: CONNECTIONS });
          if (errors[0] !== undefined) throw new Error(`a first call failed: ${errors[0]}`);
          exchanges.push(...batch);
        }
        if (maxUsers > CALLERS) {
          await copyTokens(redisUrl, CALLERS, maxUsers);
          await sleep(HUB_MEMORY_MS);
        }
        return (exchange) => exchange;
      },
    },
    loads: USERS.filter((users) => users <= maxUsers).map(load),
  };
}

/** Copies the encrypted access tokens of the users below `from` until there are `to` users. */
async function copyTokens(redisUrl: string, from: number, to: number): Promise<void> {
  const keyOf = (user: number): string => `token:${ORGANIZATION_ID}:${CONNECTOR_ID}:${userOf(user)}`;
  const redis = new Redis(redisUrl);
  try {
    for (let user = from; user < to; user += BATCH) {
      const copies = Array.from({ length: Math.min(BATCH, to - user) }, (_, i) =>
        redis.copy(keyOf((user + i) % from), keyOf(user + i), 'REPLACE'),
      );
      if ((await Promise.all(copies)).includes(0))
        throw new Error('a user who has called has no token in Redis');
    }
  } finally {
    redis.disconnect();
  }
}

function never(): never {
  throw new Error('all users have called before');
}
