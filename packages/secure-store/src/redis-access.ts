import type { RedisClient } from './connect-redis.ts';

/** Prefixes of Redis errors: a wrong or missing password, a missing permission, and Redis 5's wrong password */
const REFUSALS = {
  WRONGPASS: 'REDIS_PASSWORD: Redis refuses the password, or the user in REDIS_URL (WRONGPASS)',
  NOAUTH: 'REDIS_PASSWORD: Redis demands a password (NOAUTH)',
  NOPERM: 'REDIS_URL: the user lacks a permission in Redis (NOPERM)',
  'ERR invalid password': 'REDIS_PASSWORD: Redis refuses the password',
} as const;

/** Redis is up but refuses us: the password is wrong or missing, or the user lacks a permission. */
export class RedisAccessRefused extends Error {
  override readonly name = 'RedisAccessRefused';
}

/** A refusal by Redis at the start of a service, which prints the message of a ConfigError and exits. */
export class RedisSettingsAtFault extends Error {
  override readonly name = 'ConfigError';
  constructor(fault: string) {
    super(`configuration: 1 fault(s)\n  ${fault}`);
  }
}

/** Returns the fault to show an operator, as a text of our own; undefined if the error is not a refusal. */
export function refusalIn(err: unknown): string | undefined {
  const message = err instanceof Error ? err.message : '';
  return Object.entries(REFUSALS).find(([start]) => message.startsWith(start))?.[1];
}

/** The key that a probe writes, below the key prefix, so that permissions for the prefix are tested, too. It expires. */
const PROBE_KEY = 'access';
const PROBE_TTL_SECONDS = 60;
/** Readiness must not wait for the time limit of commands, which operators may raise to seconds. */
const PROBE_MS = 500;

/**
 * Watches whether Redis refuses our connections: each command then fails with an error that does not contain the
 * reason.
 */
export function watchRedisAccess() {
  let refusal: string | undefined;
  const refusedChannels = new Set<string>();
  return {
    /** Records an error of a connection. */
    noteError(err: unknown): void {
      refusal = refusalIn(err);
    },
    /** Records the answer to a subscription, because a probe of it would be a message to all subscribers. */
    noteSubscription(channel: string, err?: unknown): void {
      if (refusalIn(err) === undefined) refusedChannels.delete(channel);
      else refusedChannels.add(channel);
    },
    /**
     * Resolves if Redis accepts a write of ours and our subscriptions, and also if Redis cannot be reached, because that is an outage and no
     * refusal.
     * @throws {RedisAccessRefused} with the setting at fault
     */
    async check(redis: RedisClient): Promise<void> {
      const result = await probe(redis);
      if (result === 'written') refusal = undefined;
      else if (result !== 'no answer') refusal = result;
      if (refusal !== undefined) throw new RedisAccessRefused(refusal);
      for (const channel of refusedChannels)
        throw new RedisAccessRefused(
          `REDIS_URL: the user may not use the channel ${channel} in Redis (NOPERM)`,
        );
    },
  };
}

async function probe(redis: RedisClient): Promise<string> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<string>((resolve) => {
    timer = setTimeout(() => resolve('no answer'), PROBE_MS);
  });
  const written = redis.set(PROBE_KEY, '1', 'EX', PROBE_TTL_SECONDS).then(
    () => 'written',
    (err: unknown) => refusalIn(err) ?? 'no answer',
  );
  return Promise.race([written, late]).finally(() => clearTimeout(timer));
}
