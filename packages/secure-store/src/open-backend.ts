import type { Redis } from 'ioredis';
import type { Backend } from './backend.ts';
import { commandTimeoutOf, connectRedis, type RedisClient, type RedisOptions } from './connect-redis.ts';
import { createMemoryBackend } from './memory-backend.ts';
import { RedisAccessRefused, RedisSettingsAtFault, watchRedisAccess } from './redis-access.ts';
import { type Confirmation, createRedisBackend } from './redis-backend.ts';
import type { RedisSettings } from './redis-settings.ts';

export interface OpenBackend<Client extends RedisClient = RedisClient> {
  readonly backend: Backend;
  /** The Redis client, for uses other than entries; undefined without Redis */
  readonly redis: Client | undefined;
  /**
   * Resolves if Redis accepts us, is down, or is not configured. Used for readiness.
   * @throws {RedisAccessRefused} a wrong or missing password, or a missing permission
   */
  checkAccess(): Promise<void>;
  /** Records the answer of Redis to a subscription for {@link checkAccess}: an error, or none. */
  noteSubscription(channel: string, err?: unknown): void;
  close(): void;
}

/** Share of a command's time limit: Redis checks the time only ten times a second. */
const WAIT_SHARE = 0.5;

/**
 * The store of a deployment: Redis (a URL is one of a single server), or without it the memory of this process, which
 * no replica shares. An unreachable Redis does not prevent the start; one that refuses our password or user does.
 * @throws {RedisSettingsAtFault} with the setting at fault, and no secret
 */
export async function openBackend(
  target: string | undefined,
  options: RedisOptions & { clock: () => Date },
): Promise<OpenBackend<Redis>>;
export async function openBackend(
  target: RedisSettings | undefined,
  options: RedisOptions & { clock: () => Date },
): Promise<OpenBackend>;
export async function openBackend(
  target: string | RedisSettings | undefined,
  options: RedisOptions & { clock: () => Date },
): Promise<OpenBackend> {
  if (target === undefined)
    return {
      backend: createMemoryBackend(options),
      redis: undefined,
      checkAccess: async () => undefined,
      noteSubscription: () => undefined,
      close: () => undefined,
    };
  const settings: RedisSettings = typeof target === 'string' ? { mode: 'single', urls: [target] } : target;
  const replicas = settings.waitReplicas ?? 0;
  const access = watchRedisAccess();
  const watched = {
    ...options,
    onError(err: Error) {
      access.noteError(err);
      options.onError(err);
    },
  };
  const [redis, confirming] = await Promise.all([
    connectRedis(settings, watched),
    replicas > 0 ? connectRedis(settings, options) : undefined,
  ]);
  const close = () => {
    redis.disconnect();
    confirming?.disconnect();
  };
  await access.check(redis).catch((err: unknown) => {
    close();
    throw err instanceof RedisAccessRefused ? new RedisSettingsAtFault(err.message) : err;
  });
  const timeoutMs = Math.floor(commandTimeoutOf(settings, options) * WAIT_SHARE);
  const confirmation: Confirmation | undefined = confirming && { redis: confirming, replicas, timeoutMs };
  return {
    backend: createRedisBackend(redis, confirmation),
    redis,
    checkAccess: () => access.check(redis),
    noteSubscription: access.noteSubscription,
    close,
  };
}
