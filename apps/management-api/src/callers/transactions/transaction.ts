import type { Transaction } from '@legate/transaction-tokens';
import type { Response } from 'express';

declare global {
  namespace Express {
    interface Locals {
      transaction?: Transaction;
    }
  }
}

export function setTransaction(res: Response, transaction: Transaction): void {
  res.locals.transaction = transaction;
}

/** @returns undefined if the user calls directly, without a transaction token */
export function findTransaction(res: Response): Transaction | undefined {
  return res.locals.transaction;
}
