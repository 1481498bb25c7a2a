import { createSigningKeys, type SigningKeys } from '@legate/jwt';
import type { Logger } from '@legate/service';
import type { Config } from './config.ts';

/**
 * The hub's keys, which sign transaction tokens and, for the identity provider, which agent acts.
 * @returns undefined where nothing is signed
 */
export async function openSigningKeys(
  config: Config,
  deps: { production: boolean; clock: () => Date; log: Logger },
): Promise<SigningKeys | undefined> {
  if (config.TRANSACTION_TOKENS_FILE === undefined && !config.IDP_ACTOR_TOKENS) return undefined;
  if (deps.production && !config.SIGNING_KEYS)
    deps.log.warn('SIGNING_KEYS is not set: tokens of other replicas are signed by other keys');
  return createSigningKeys({
    alg: 'ES256',
    clock: deps.clock,
    ...(config.SIGNING_KEYS && { jwks: config.SIGNING_KEYS }),
  });
}
