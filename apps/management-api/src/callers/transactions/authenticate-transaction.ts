import { tokenId } from '@legate/jwt';
import type { FailureLimiter } from '@legate/rate-limit';
import type { UseOnce } from '@legate/secure-store';
import { TXN_TOKEN_HEADER, type VerifyTransaction } from '@legate/transaction-tokens';
import { type CachedVerifyWorkload, checkWorkloadScope, isGuess } from '@legate/workload';
import type { RequestHandler } from 'express';
import { setCaller } from '../authentication/caller-of-request.ts';
import { TRANSACTIONS_SCOPE } from '../authentication/settings.ts';
import { toProblem } from './problems.ts';
import { setTransaction } from './transaction.ts';

/** Services that may call for users */
export interface TransactionAccess {
  readonly verifyWorkload: CachedVerifyWorkload;
  readonly verifyTransaction: VerifyTransaction;
  /** The identity provider whose users `sub` names, as the issuer of transaction tokens guarantees */
  readonly identityProvider: string;
  /** Redeems a token once, for all replicas. */
  readonly useOnce: UseOnce;
}

/**
 * A request with the header `Txn-Token` comes from a workload that acts for a user: the bearer token identifies the
 * workload, the transaction token the user. Both are required; a user's bearer token together with a transaction
 * token is refused. All other requests go to `users`.
 * @throws {Problem} 401, 403, 503
 */
export function authenticateTransaction(
  deps: Omit<TransactionAccess, 'useOnce'> & { users: RequestHandler; failures: FailureLimiter },
): RequestHandler {
  return async (req, res, next) => {
    // Repeated headers arrive as one text with commas, which is not a valid token.
    const txnToken = req.get(TXN_TOKEN_HEADER);
    if (txnToken === undefined) {
      await deps.users(req, res, next);
      return;
    }
    res.vary(TXN_TOKEN_HEADER);
    try {
      const workload = await deps.verifyWorkload(req.headers.authorization);
      checkWorkloadScope(workload, TRANSACTIONS_SCOPE);
      const transaction = await deps.verifyTransaction(txnToken, workload.clientId).catch((err: unknown) => {
        throw toProblem(err);
      });
      setCaller(res, {
        issuer: deps.identityProvider,
        subject: transaction.subject,
        organizationId: transaction.organizationId,
        email: undefined,
        name: undefined,
        roles: transaction.roles,
        scope: undefined, // the token is limited to one operation, which is less than any scope
        isTransaction: true,
        credential: { kind: 'transaction', clientId: workload.clientId, tokenId: tokenId(txnToken) },
      });
      setTransaction(res, transaction);
    } catch (err) {
      if (isGuess(err)) await deps.failures.recordFailure(req.ip);
      throw err;
    }
    next();
  };
}
