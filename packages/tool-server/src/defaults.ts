// biome-ignore-all lint/suspicious/noConsole: the console is the default log
import { createSigningKeys, privateJwks, type SigningKeys } from '@legate/jwt';
import { OAuthError } from '@legate/oauth';
import { memoryOneTimeStore, type OneTimeStore } from './one-time/one-time-store.ts';
import type { ToolServerLog, ToolServerOptions } from './options.ts';

export const CONSOLE_LOG: ToolServerLog = {
  info: (fields, message) => console.info(message, fields),
  warn: (fields, message) => console.warn(message, fields),
  error(fields: { readonly err?: unknown }, message) {
    // The message says what failed where; only a fault of the program needs a stack.
    if (fields.err instanceof OAuthError) console.error(`${message}: ${fields.err.message}`);
    else console.error(message, fields);
  },
};

/** Platforms without `process` count as development, unless `production` is set. */
export const isProductionByEnvironment = (): boolean =>
  typeof process === 'object' && process.env?.NODE_ENV === 'production';

interface Surroundings {
  readonly clock: () => Date;
  readonly log: ToolServerLog;
  readonly isProduction: boolean;
}

/** @throws {Error} for an unusable key, or for none in production; the message contains no key */
export async function openSigningKeys(
  given: ToolServerOptions['signingKeys'],
  { clock, log, isProduction }: Surroundings,
): Promise<SigningKeys> {
  if (given === undefined) {
    if (isProduction) throw new Error('signingKeys is required in production: a private JWKS');
    log.warn({}, 'signingKeys is not set: access tokens end with this process');
    return createSigningKeys({ alg: 'ES256', clock });
  }
  if (typeof given === 'string') {
    const jwks = privateJwks().safeParse(given);
    if (!jwks.success) throw new Error('signingKeys must be a JWKS of private keys');
    return createSigningKeys({ alg: 'ES256', clock, jwks: jwks.data });
  }
  return 'sign' in given && typeof given.sign === 'function'
    ? (given as SigningKeys)
    : createSigningKeys({ alg: 'ES256', clock, jwks: given as Exclude<typeof given, SigningKeys> });
}

/** @throws {Error} in production, for a store that other processes do not share */
export function openOneTimeStore(
  given: OneTimeStore | undefined,
  { clock, log, isProduction }: Surroundings,
): OneTimeStore {
  const store = given ?? memoryOneTimeStore({ clock });
  if (store.isPerProcess !== true) return store;
  if (isProduction)
    throw new Error(
      'oneTimeStore is required in production: redisOneTimeStore(redis), or memoryOneTimeStore({ singleProcess: true }) for one process',
    );
  log.warn({}, 'the oneTimeStore is in memory: a second process would accept an assertion again');
  return store;
}
