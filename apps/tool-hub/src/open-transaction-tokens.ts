import { createSigningKeys } from '@legate/jwt';
import { type Backend, createUseOnce } from '@legate/secure-store';
import type { Logger } from '@legate/service';
import type { Config } from './config.ts';
import type { TransactionTokensOptions } from './faces/transaction-tokens/feature.ts';
import { readTransactionTokensFile } from './faces/transaction-tokens/workloads-file.ts';

/** Requests of one workload for transaction tokens, at all replicas together; half of them for one organization */
const TOKENS_PER_MINUTE = 6000;

/**
 * Opens the configured transaction tokens.
 * @returns undefined if they are not configured
 * @throws {ConfigError} for an unusable file
 */
export async function openTransactionTokens(
  config: Config,
  deps: Pick<TransactionTokensOptions, 'getJson' | 'onKeysRead'> & {
    env: NodeJS.ProcessEnv;
    production: boolean;
    backend: Backend;
    clock: () => Date;
    log: Logger;
  },
): Promise<TransactionTokensOptions | undefined> {
  const { production, getJson, onKeysRead, clock } = deps;
  if (config.TRANSACTION_TOKENS_FILE === undefined) return undefined;
  const workloads = readTransactionTokensFile(config.TRANSACTION_TOKENS_FILE, deps);
  if (production && !config.SIGNING_KEYS) {
    deps.log.warn('SIGNING_KEYS is not set: transaction tokens of other replicas are signed by other keys');
  }
  const signingKeys = await createSigningKeys({
    alg: 'ES256',
    clock,
    ...(config.SIGNING_KEYS && { jwks: config.SIGNING_KEYS }),
  });
  return {
    workloads,
    signingKeys,
    useOnce: createUseOnce(deps.backend, 'jti:'),
    getJson,
    onKeysRead,
    perMinute: TOKENS_PER_MINUTE,
  };
}
