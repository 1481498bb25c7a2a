import { cacheVerified } from '@legate/jwt';
import { createIssuerKeySet } from '@legate/oauth';
import type { UseOnce } from '@legate/secure-store';
import { type HttpClient, keySetReads, type Registry } from '@legate/service';
import { createTransactionVerifier } from '@legate/transaction-tokens';
import { createWorkloadVerifier, type Workloads } from '@legate/workload';
import { type AccessTokenType, createCallerTokenVerifier } from '../authentication/verify-token.ts';
import type { TransactionAccess } from '../transactions/authenticate-transaction.ts';

/** Verifies all callers: users and services with tokens of the identity provider, and services that act for users. */
export function openCallers(options: {
  /** Our resource identifier */
  resource: string;
  issuer: string;
  accessTokenTypes: readonly AccessTokenType[];
  organizationClaim: string;
  workloads: Workloads;
  /** undefined: there are no transaction tokens */
  transactionTokenIssuer: string | undefined;
  useTransactionOnce: UseOnce;
  getJson: HttpClient['getJson'];
  clock: () => Date;
  registry: Registry;
}) {
  const { resource, issuer, organizationClaim, getJson, clock } = options;
  const reads = keySetReads(options.registry);
  const keys = createIssuerKeySet({
    issuer,
    getJson,
    clock,
    onRead: reads(issuer),
  });
  const verifyUser = createCallerTokenVerifier({
    issuers: [{ issuer, keys }],
    audience: resource,
    clock,
    types: options.accessTokenTypes,
    organizationClaim,
  });
  const verifyWorkload = createWorkloadVerifier({
    issuer: { issuer, keys },
    audience: resource,
    workloads: options.workloads,
    organizationClaim,
    clock,
  });
  const { transactionTokenIssuer: txnIssuer } = options;
  const transactions: TransactionAccess | undefined =
    txnIssuer === undefined
      ? undefined
      : {
          verifyWorkload,
          verifyTransaction: createTransactionVerifier({
            issuer: {
              issuer: txnIssuer,
              keys: createIssuerKeySet({ issuer: txnIssuer, getJson, clock, onRead: reads(txnIssuer) }),
            },
            audience: resource,
            clock,
          }),
          identityProvider: issuer,
          useOnce: options.useTransactionOnce,
        };
  return { verifyToken: cacheVerified(verifyUser, { clock }), verifyWorkload, transactions };
}
