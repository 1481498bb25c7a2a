import { createSigningKeys, type SigningKeys } from '@legate/jwt';
import type { Platform } from './platform.ts';

/**
 * Opens the hub's keys, which sign transaction tokens and actor tokens.
 * @returns undefined if the hub signs neither
 */
export async function openSigningKeys(
  { clock, log }: Platform,
  settings: {
    readonly TRANSACTION_TOKENS_FILE?: string | undefined;
    readonly IDP_ACTOR_TOKENS: boolean;
    readonly SIGNING_KEYS?: Parameters<typeof createSigningKeys>[0]['jwks'] | undefined;
  },
  production: boolean,
): Promise<SigningKeys | undefined> {
  if (settings.TRANSACTION_TOKENS_FILE === undefined && !settings.IDP_ACTOR_TOKENS) return undefined;
  if (production && !settings.SIGNING_KEYS)
    log.warn('SIGNING_KEYS is not set: each replica signs tokens with its own keys');
  return createSigningKeys({
    alg: 'ES256',
    clock,
    ...(settings.SIGNING_KEYS && { jwks: settings.SIGNING_KEYS }),
  });
}
