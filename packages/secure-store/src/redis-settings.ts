import { z } from 'zod';

/** The kind of Redis and its addresses. */
export type RedisSettings = RedisServers | RedisSentinels;

export interface RedisServers extends CommonSettings {
  readonly mode: 'single' | 'cluster';
}

export interface RedisSentinels extends CommonSettings {
  readonly mode: 'sentinel';
  /** The sentinels' name for the master */
  readonly sentinelName: string;
  readonly sentinelPassword?: string | undefined;
}

interface CommonSettings {
  /** URLs of the server, of some cluster nodes, or of the sentinels; at least one */
  readonly urls: readonly string[];
  /** Password of the servers, if the URLs have none */
  readonly password?: string | undefined;
  /** Number of replicas that must have a one-time use before it counts; default 0 */
  readonly waitReplicas?: number | undefined;
  /** Time-out of a command; default 250 */
  readonly commandTimeoutMs?: number | undefined;
}

/** The settings of a service that may use Redis; {@link checkRedisEnvironment} sees what they say together. */
export const redisEnvironment = {
  REDIS_URL: z
    .string()
    .refine((text) => split(text).length > 0 && split(text).every(isRedisUrl), {
      error: 'must be redis:// or rediss:// URLs, separated by commas',
    })
    .optional()
    .meta({
      description:
        'URL of Redis; `rediss://` uses TLS. Separate nodes of a cluster, or sentinels, by commas. Unset: data is kept in the memory of this process, which replicas do not share.',
      when: 'Operators in production, and everyone who runs more than one replica.',
      example: 'rediss://redis.example:6379',
      secret: true,
    }),
  REDIS_MODE: z.enum(['single', 'cluster', 'sentinel']).default('single').meta({
    description:
      'What `REDIS_URL` names: one server, some nodes of a Redis Cluster, or the sentinels of a master.',
    when: 'Operators whose Redis is a cluster, or has sentinels.',
  }),
  REDIS_SENTINEL_NAME: z.string().min(1).optional().meta({
    description: 'Name of the master at the sentinels. Required with `REDIS_MODE=sentinel`.',
    when: 'Operators whose Redis has sentinels.',
    example: 'mymaster',
  }),
  REDIS_PASSWORD: z.string().min(1).optional().meta({
    description: 'Password of the Redis servers, if `REDIS_URL` has none.',
    when: 'Operators who keep the password separate from the URL, for example in a file.',
    secret: true,
  }),
  REDIS_SENTINEL_PASSWORD: z.string().min(1).optional().meta({
    description: 'Password of the sentinels, if they require one.',
    when: 'Operators whose sentinels have a password.',
    secret: true,
  }),
  REDIS_WAIT_REPLICAS: z.coerce.number().int().min(0).max(10).default(0).meta({
    description:
      'How many replicas must have stored the identifier of an assertion before it is accepted. If fewer have, it is refused with 503. With 0, a failover may lose the latest identifiers, and those assertions could be used again.',
    when: 'Operators whose Redis fails over, and who prefer a refused request to an assertion that is used twice.',
  }),
  REDIS_COMMAND_TIMEOUT_MS: z.coerce.number().int().min(10).max(10_000).default(250).meta({
    description:
      'Milliseconds after which a command fails. A request waits this long for a Redis that hangs. A process without CPU for this long treats Redis as down.',
    when: 'Operators whose Redis is far away, or whose containers get little CPU: commands time out although Redis is well.',
  }),
};

/** `REDIS_KEY_PREFIX`, whose default differs between services */
export const redisKeyPrefix = (byDefault: string) =>
  z.string().default(byDefault).meta({
    description: 'Prefix of all keys in Redis.',
    when: 'Operators of several deployments on one Redis.',
    secret: false,
  });

/** Names of the settings, needed by code that reads only some settings of an environment. */
export const redisSettingNames = [
  'REDIS_URL',
  'REDIS_MODE',
  'REDIS_SENTINEL_NAME',
  'REDIS_PASSWORD',
  'REDIS_SENTINEL_PASSWORD',
  'REDIS_WAIT_REPLICAS',
  'REDIS_COMMAND_TIMEOUT_MS',
] as const satisfies readonly (keyof typeof redisEnvironment)[];

type RedisEnvironment = z.output<z.ZodObject<typeof redisEnvironment>>;

/** Checks that concern several settings of an environment with {@link redisEnvironment}; used in its `superRefine`. */
export function checkRedisEnvironment(
  env: RedisEnvironment,
  context: { addIssue(issue: { code: 'custom'; path: string[]; message: string }): void },
): void {
  for (const [name, message] of faultsOf(env)) context.addIssue({ code: 'custom', path: [name], message });
}

function* faultsOf(env: RedisEnvironment): Generator<[keyof RedisEnvironment, string]> {
  const mode = env.REDIS_MODE;
  const urls = split(env.REDIS_URL ?? '').map((url) => new URL(url));
  const differ = (of: (url: URL) => string): boolean => new Set(urls.map(of)).size > 1;
  if (env.REDIS_URL === undefined) {
    if (mode !== 'single') yield ['REDIS_URL', `required with REDIS_MODE=${mode}`];
    if (env.REDIS_WAIT_REPLICAS > 0) yield ['REDIS_URL', 'required with REDIS_WAIT_REPLICAS'];
  }
  if (mode === 'single' && urls.length > 1)
    yield ['REDIS_URL', 'several nodes need REDIS_MODE cluster or sentinel'];
  if (differ(({ protocol }) => protocol)) yield ['REDIS_URL', 'redis:// and rediss:// cannot be mixed'];
  // All nodes must have the same user: for a node found later, several would be ambiguous.
  if (differ(({ username, password }) => `${username}:${password}`))
    yield ['REDIS_URL', 'all nodes must have the same user and password'];
  if (differ(({ pathname }) => pathname)) yield ['REDIS_URL', 'all nodes must have the same database number'];
  if (mode === 'cluster' && urls.some(hasDatabase)) yield ['REDIS_URL', 'a cluster has no database numbers'];
  if (env.REDIS_PASSWORD !== undefined && urls.some(({ password }) => password !== ''))
    yield ['REDIS_PASSWORD', 'REDIS_URL has a password, too'];
  if (mode === 'sentinel' && env.REDIS_SENTINEL_NAME === undefined)
    yield ['REDIS_SENTINEL_NAME', 'required with REDIS_MODE=sentinel'];
  for (const name of ['REDIS_SENTINEL_NAME', 'REDIS_SENTINEL_PASSWORD'] as const)
    if (mode !== 'sentinel' && env[name] !== undefined)
      yield [name, 'has no effect without REDIS_MODE=sentinel'];
}

/** Undefined where there is no Redis. The environment has been checked. */
export function redisSettingsOf(env: RedisEnvironment): RedisSettings | undefined {
  if (env.REDIS_URL === undefined) return undefined;
  const common = {
    urls: split(env.REDIS_URL),
    password: env.REDIS_PASSWORD,
    waitReplicas: env.REDIS_WAIT_REPLICAS,
    commandTimeoutMs: env.REDIS_COMMAND_TIMEOUT_MS,
  };
  const { REDIS_MODE: mode, REDIS_SENTINEL_NAME: sentinelName } = env;
  if (mode !== 'sentinel') return { mode, ...common };
  if (sentinelName === undefined) throw new Error('the environment was not checked');
  return { mode, ...common, sentinelName, sentinelPassword: env.REDIS_SENTINEL_PASSWORD };
}

/** Splits only at commas before a URL: a password may contain commas. */
const split = (text: string): string[] =>
  text
    .split(/,\s*(?=rediss?:\/\/)/)
    .map((url) => url.trim())
    .filter((url) => url !== '');

const isRedisUrl = (text: string): boolean =>
  /^rediss?:\/\/[^\s]+$/.test(text) && URL.canParse(text) && new URL(text).hostname !== '';

const hasDatabase = ({ pathname }: URL): boolean => !['', '/', '/0'].includes(pathname);
