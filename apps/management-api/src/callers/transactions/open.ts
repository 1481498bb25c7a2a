import { createIssuerKeySet } from '@legate/oauth';
import { createUseOnce, type UseOnce } from '@legate/secure-store';
import type { keySetReads } from '@legate/service';
import { createTransactionVerifier } from '@legate/transaction-tokens';
import type { CachedVerifyWorkload } from '@legate/workload';
import type { Platform } from '../../platform/platform.ts';
import type { TransactionAccess } from './authenticate-transaction.ts';
import type { TransactionsSettings } from './settings.ts';

/** @returns undefined if no transaction tokens are accepted */
export function openTransactions(
  { resource, issuer: identityProvider, http, backend, clock }: Platform,
  settings: TransactionsSettings,
  deps: {
    verifyWorkload: CachedVerifyWorkload | undefined;
    onKeysRead: ReturnType<typeof keySetReads>;
    /** Default: the store that all replicas share */
    useOnce?: UseOnce | undefined;
  },
): TransactionAccess | undefined {
  const { verifyWorkload, onKeysRead, useOnce = createUseOnce(backend, 'txn:') } = deps;
  const { TRANSACTION_TOKEN_ISSUER: issuer } = settings;
  if (issuer === undefined || verifyWorkload === undefined) return undefined;
  const keys = createIssuerKeySet({ issuer, getJson: http.getJson, clock, onRead: onKeysRead(issuer) });
  return {
    verifyWorkload,
    verifyTransaction: createTransactionVerifier({ issuer: { issuer, keys }, audience: resource, clock }),
    identityProvider,
    useOnce,
  };
}
