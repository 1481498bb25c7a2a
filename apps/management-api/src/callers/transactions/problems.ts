import { KeysUnavailable, TokenRefused } from '@legate/jwt';
import { formatBearerChallenge } from '@legate/oauth';
import type { Problem } from '@legate/service';
import { OtherWorkload } from '@legate/transaction-tokens';
import { problem } from '../../domain/problem-codes.ts';

/** The bearer token of the workload is valid, so the challenge names no error (a Txn-Token is not a bearer token). */
const txnTokenRefused = (
  code: 'transaction_token_invalid' | 'transaction_token_expired',
  detail: string,
  cause: unknown,
): Problem =>
  problem(code, {
    detail,
    headers: { 'WWW-Authenticate': formatBearerChallenge({}) },
    cause,
  });

/** Refuses a token that is valid, but for another request. */
export const transactionMismatch = (detail: string): Problem => problem('transaction_mismatch', { detail });

const INVALID = 'The transaction token is not valid for this API.';

/** Turns an error of `VerifyTransaction` into a problem; returns any other error unchanged. */
export function toProblem(err: unknown): unknown {
  if (err instanceof OtherWorkload)
    return transactionMismatch('The transaction token was issued to another workload.');
  if (err instanceof KeysUnavailable) {
    return problem('service_unavailable', {
      detail: 'The signing keys of transaction tokens are currently unavailable. Try again.',
      headers: { 'Retry-After': '5' },
      cause: err,
    });
  }
  if (!(err instanceof TokenRefused)) return err;
  return err.reason === 'expired'
    ? txnTokenRefused('transaction_token_expired', 'The transaction token has expired.', err)
    : txnTokenRefused('transaction_token_invalid', INVALID, err);
}
