import type { SigningKeys } from '@legate/jwt';
import { type Backend, createUseOnce } from '@legate/secure-store';
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
export function openTransactionTokens(
  config: Config,
  deps: Pick<TransactionTokensOptions, 'getJson' | 'onKeysRead'> & {
    env: NodeJS.ProcessEnv;
    production: boolean;
    backend: Backend;
    signingKeys: SigningKeys | undefined;
  },
): TransactionTokensOptions | undefined {
  const { signingKeys, getJson, onKeysRead } = deps;
  if (config.TRANSACTION_TOKENS_FILE === undefined || !signingKeys) return undefined;
  const workloads = readTransactionTokensFile(config.TRANSACTION_TOKENS_FILE, deps);
  return {
    workloads,
    signingKeys,
    useOnce: createUseOnce(deps.backend, 'jti:'),
    getJson,
    onKeysRead,
    perMinute: TOKENS_PER_MINUTE,
  };
}
