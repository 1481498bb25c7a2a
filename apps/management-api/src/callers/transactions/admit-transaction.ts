import type { Logger } from '@legate/service';
import type { createRedemption } from '@legate/transaction-tokens';
import type { Request, RequestHandler } from 'express';
import { problem } from '../../domain/problem-codes.ts';
import { transactionMismatch } from './problems.ts';
import { findTransaction } from './transaction.ts';

/** @param operation `transaction` is the scope of the transaction tokens that the operation accepts */
export type AdmitTransaction = (operation: { readonly transaction?: string | undefined }) => RequestHandler;

/**
 * Admits a transaction only to the operation that its token names, with exactly the token's parameters, and only once.
 * Mounted in front of every operation.
 * @param deps.redeem uses the replay store that all replicas share; if it fails, no transaction is admitted
 * @throws {Problem} 403 `transaction_mismatch` or `transaction_used`, 503 `service_unavailable`
 */
export function createAdmitTransaction(deps: {
  redeem: ReturnType<typeof createRedemption>;
  log: Pick<Logger, 'info'>;
}): AdmitTransaction {
  return (operation) => async (req, res, next) => {
    const transaction = findTransaction(res);
    if (!transaction) return next();
    const asked = { operation: operation.transaction, parameters: parametersOf(req) };
    const redemption = await deps.redeem(transaction, asked).catch((cause: unknown) => {
      throw problem('service_unavailable', { headers: { 'Retry-After': '5' }, cause });
    });
    switch (redemption) {
      case 'other_operation':
        throw transactionMismatch('The transaction token is for another operation.');
      case 'other_parameters':
        throw transactionMismatch('The transaction token is for other parameters.');
      case 'used':
        throw problem('transaction_used', { detail: 'The transaction token has been used already.' });
      case 'redeemed': {
        const { txn, jti, scope, workload } = transaction;
        deps.log.info({ txn, jti, scope, req_wl: workload }, 'transaction admitted');
        next();
      }
    }
  };
}

/** Returns the parameters of query and path as sent. */
const parametersOf = ({ query, params }: Request): Readonly<Record<string, unknown>> => ({
  ...query,
  ...params,
});
