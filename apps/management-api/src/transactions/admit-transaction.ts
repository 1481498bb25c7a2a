import { epochSeconds } from '@legate/jwt';
import type { UseOnce } from '@legate/secure-store';
import type { Logger } from '@legate/service';
import type { Request, RequestHandler } from 'express';
import type { Operation } from '../api/operation.ts';
import { problem } from '../domain/problem-codes.ts';
import { transactionMismatch, transactionUsed } from './problems.ts';
import { findTransaction } from './transaction.ts';

export type AdmitTransaction = (operation: Pick<Operation, 'transaction'>) => RequestHandler;

/**
 * In front of every operation: a transaction passes only where the operation is the very one that its token is for, with
 * the very parameters, and once. Last of all checks, so that a token is used up only by the request it was made for.
 * @param deps.useOnce shared by all replicas; when it fails, nothing passes
 * @throws {Problem} 403 `transaction_mismatch` or `transaction_used`, 503 `service_unavailable`
 */
export function createAdmitTransaction(deps: {
  useOnce: UseOnce;
  clock: () => Date;
  log: Pick<Logger, 'info'>;
}): AdmitTransaction {
  return (operation) => async (req, res, next) => {
    const transaction = findTransaction(res);
    if (!transaction) return next();
    const { issuer, txn, jti, scope, workload, parameters, acceptedUntil } = transaction;
    if (operation.transaction !== scope)
      throw transactionMismatch('The transaction token is for another operation.');
    if (!isSame(parametersOf(req), parameters))
      throw transactionMismatch('The transaction token is for other parameters.');

    const ttlSeconds = acceptedUntil - epochSeconds(deps.clock());
    const isFirst = await deps.useOnce([issuer, txn, jti], ttlSeconds).catch((cause: unknown) => {
      throw problem('service_unavailable', {
        headers: { 'Retry-After': '5' },
        cause,
      });
    });
    if (!isFirst) throw transactionUsed();
    deps.log.info({ txn, jti, scope, req_wl: workload }, 'transaction admitted');
    next();
  };
}

/** As they were sent; a repeated one is a list, and equals nothing. */
const parametersOf = ({ query, params }: Request): Readonly<Record<string, unknown>> => ({
  ...query,
  ...params,
});

function isSame(sent: Readonly<Record<string, unknown>>, signed: Readonly<Record<string, string>>): boolean {
  const names = Object.keys(sent);
  return (
    names.length === Object.keys(signed).length &&
    names.every((name) => Object.hasOwn(signed, name) && sent[name] === signed[name])
  );
}
