import type { SigningKeys } from '@legate/jwt';
import { createUseOnce, type UseOnce } from '@legate/secure-store';
import type { OnKeysRead, WorkloadEntry } from '@legate/transaction-tokens';
import type { Platform } from '../../platform/platform.ts';
import { readTransactionTokensFile } from './workloads-file.ts';

/** Default limit of requests per minute of one workload, at all replicas together; half of it for one organization */
const TOKENS_PER_MINUTE = 6000;

export interface TransactionTokensOptions {
  readonly workloads: readonly WorkloadEntry[];
  /** Keys shared by the replicas of a hub. They also sign tokens of another `typ`, which name the acting agent. */
  readonly signingKeys: SigningKeys;
  /** Records client assertions; shared by replicas too. */
  readonly useOnce: UseOnce;
  /** Fetches JSON with the guarded client */
  readonly getJson: (url: string) => Promise<unknown>;
  /** Called after each fetch of the keys of an access token issuer. */
  readonly onKeysRead?: OnKeysRead | undefined;
  /** Requests of one workload in a minute, in all processes together; half of them for one organization */
  readonly perMinute: number;
}

/**
 * Reads which workloads get transaction tokens.
 * @returns undefined if none does
 * @throws {ConfigError} for an unusable file
 */
export function readTransactionTokens(
  { http, backend }: Platform,
  settings: { readonly TRANSACTION_TOKENS_FILE?: string | undefined },
  deps: {
    env: NodeJS.ProcessEnv;
    production: boolean;
    signingKeys: SigningKeys | undefined;
    onKeysRead: OnKeysRead;
  },
): TransactionTokensOptions | undefined {
  const { signingKeys, onKeysRead } = deps;
  if (settings.TRANSACTION_TOKENS_FILE === undefined || !signingKeys) return undefined;
  return {
    workloads: readTransactionTokensFile(settings.TRANSACTION_TOKENS_FILE, deps),
    signingKeys,
    useOnce: createUseOnce(backend, 'jti:'),
    getJson: http.getJson,
    onKeysRead,
    perMinute: TOKENS_PER_MINUTE,
  };
}
