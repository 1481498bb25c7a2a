import { OrganizationId, type UserId } from '@legate/ids';
import {
  createTokenVerifier,
  KeysUnavailable,
  TokenRefused,
  type TransactionTokenClaims,
  type TrustedIssuer,
  transactionToken,
} from '@legate/jwt';
import { z } from 'zod';
import type { Caller } from '../domain/caller.ts';
import { problem } from '../domain/problem-codes.ts';
import { transactionMismatch, txnTokenRefused } from './problems.ts';
import type { Transaction } from './transaction.ts';

/** `tctx`: the user's organization and roles, and the parameters of the operation beside them. */
const Context = z
  .object({ organization_id: OrganizationId, roles: z.array(z.string()).optional() })
  .catchall(z.union([z.string(), z.number(), z.boolean()]));

export interface VerifiedTransaction {
  readonly transaction: Transaction;
  /** The user named by the token. Their membership is looked up as for every caller. */
  readonly caller: Caller;
}

/** @throws {Problem} 401, 403, 503 */
export type VerifyTransaction = (txnToken: string, workload: string) => Promise<VerifiedTransaction>;

/**
 * Verifies a transaction token that an authenticated workload presents. Which operation it is for, and whether it was used
 * before, is judged where the operation is known.
 * @param deps.issuer of the Transaction Token Service, with its keys
 * @param deps.audience our resource identifier
 * @param deps.identityProvider whose users `sub` names: the service vouches for that
 * @see draft-ietf-oauth-transaction-tokens
 */
export function createTransactionVerifier(deps: {
  issuer: TrustedIssuer;
  audience: string;
  identityProvider: string;
  clock: () => Date;
}): VerifyTransaction {
  const { issuer, audience, identityProvider, clock } = deps;
  const verify = createTokenVerifier(transactionToken, { issuers: [issuer], audience, clock });

  return async (txnToken, workload) => {
    const { claims, acceptedUntil } = await verify(txnToken).catch((err: unknown) => {
      throw toProblem(err);
    });
    const context = Context.safeParse(claims.tctx);
    if (!context.success) throw txnTokenRefused('transaction_token_invalid', INVALID);
    // What a workload was given, another one must not use, whoever it is.
    if (claims.req_wl !== workload)
      throw transactionMismatch('The transaction token was issued to another workload.');
    return {
      caller: {
        issuer: identityProvider,
        subject: claims.sub as UserId,
        organizationId: context.data.organization_id,
        email: undefined,
        name: undefined,
        roles: context.data.roles,
        scope: undefined, // the one operation limits more than any scope
      },
      transaction: transactionOf(claims, context.data, acceptedUntil),
    };
  };
}

const INVALID = 'The transaction token is not valid for this API.';

function toProblem(err: unknown): unknown {
  if (err instanceof KeysUnavailable) {
    return problem('service_unavailable', {
      detail: 'The signing keys of transaction tokens cannot be had at the moment. Try again.',
      headers: { 'Retry-After': '5' },
      cause: err,
    });
  }
  if (!(err instanceof TokenRefused)) return err;
  return err.reason === 'expired'
    ? txnTokenRefused('transaction_token_expired', 'The transaction token has expired.', err)
    : txnTokenRefused('transaction_token_invalid', INVALID, err);
}

function transactionOf(
  { iss, txn, jti, scope, req_wl }: TransactionTokenClaims,
  { organization_id: _organization, roles: _roles, ...parameters }: z.output<typeof Context>,
  acceptedUntil: number,
): Transaction {
  return {
    ...{ issuer: iss, txn, jti, scope, workload: req_wl, acceptedUntil },
    parameters: Object.fromEntries(Object.entries(parameters).map(([name, value]) => [name, String(value)])),
  };
}
