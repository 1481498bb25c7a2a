import type { Response } from 'express';

declare global {
  namespace Express {
    interface Locals {
      transaction?: Transaction;
    }
  }
}

/** What a transaction token lets a workload do for a user: one operation, with these parameters, once. */
export interface Transaction {
  readonly issuer: string;
  /** Names it in the logs of every service that took part */
  readonly txn: string;
  readonly jti: string;
  /** The operation */
  readonly scope: string;
  /** The workload that asked for the token, and that now calls */
  readonly workload: string;
  /** Name → value, of path and query */
  readonly parameters: Readonly<Record<string, string>>;
  /** Epoch seconds after which the token is refused anyway */
  readonly acceptedUntil: number;
}

export function setTransaction(res: Response, transaction: Transaction): void {
  res.locals.transaction = transaction;
}

/** @returns undefined where the user calls directly, without a transaction token */
export function findTransaction(res: Response): Transaction | undefined {
  return res.locals.transaction;
}
