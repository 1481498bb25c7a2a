import { formatBearerChallenge } from '@legate/oauth';
import type { Problem } from '@legate/service';
import { problem } from '../domain/problem-codes.ts';

/** The bearer token is that of the workload, and good: so the challenge names no error (a Txn-Token is no bearer token). */
export const txnTokenRefused = (
  code: 'transaction_token_invalid' | 'transaction_token_expired',
  detail: string,
  cause?: unknown,
): Problem =>
  problem(code, {
    detail,
    headers: { 'WWW-Authenticate': formatBearerChallenge({}) },
    cause,
  });

/** The token is good, and for something else. */
export const transactionMismatch = (detail: string): Problem => problem('transaction_mismatch', { detail });

/** The token is good, and its one use is over. */
export const transactionUsed = (): Problem =>
  problem('transaction_used', { detail: 'The transaction token was used already.' });
