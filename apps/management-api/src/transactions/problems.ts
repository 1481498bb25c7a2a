import { formatBearerChallenge } from '@legate/oauth';
import { Problem } from '@legate/service';

/** The bearer token is that of the workload, and good: so the challenge names no error (a Txn-Token is no bearer token). */
export const txnTokenRefused = (
  code: 'transaction_token_invalid' | 'transaction_token_expired',
  detail: string,
  cause?: unknown,
): Problem =>
  new Problem(401, code, 'Unauthorized', {
    detail,
    headers: { 'WWW-Authenticate': formatBearerChallenge({}) },
    cause,
  });

/** The token is good, and for something else. */
export const transactionMismatch = (detail: string): Problem =>
  new Problem(403, 'transaction_mismatch', 'Forbidden', { detail });

/** The token is good, and its one use is over. */
export const transactionUsed = (): Problem =>
  new Problem(403, 'transaction_used', 'Forbidden', { detail: 'The transaction token was used already.' });
