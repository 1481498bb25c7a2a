import type { OrganizationId, UserId } from '@legate/ids';
import {
  type Actor,
  createTokenVerifier,
  TokenRefused,
  type TrustedIssuer,
  transactionToken,
} from '@legate/jwt';
import { TransactionContext } from './transaction-context.ts';

/** What a transaction token permits: one operation for a user, with these parameters, once. */
export interface Transaction {
  readonly issuer: string;
  /** Identifies the transaction in the logs of every service that took part */
  readonly txn: string;
  readonly jti: string;
  /** The operation */
  readonly scope: string;
  /** The workload that asked for the token, and that now calls */
  readonly workload: string;
  /** `sub` of the user, at the identity provider for which the issuer vouches */
  readonly subject: UserId;
  readonly organizationId: OrganizationId;
  readonly roles: readonly string[] | undefined;
  /** The agent that acts for the user, as named by the identity provider; the workload is not an actor */
  readonly actor: Actor | undefined;
  /** Name → value, of path and query */
  readonly parameters: Readonly<Record<string, string>>;
  /** Epoch seconds after which the token is refused anyway */
  readonly acceptedUntil: number;
}

/** The token is valid, but was issued to another workload than the one that presents it. */
export class OtherWorkload extends Error {
  override readonly name = 'OtherWorkload';
}

/**
 * @param workload the client id of the authenticated workload that presents the token
 * @throws {TokenRefused | KeysUnavailable | OtherWorkload}
 */
export type VerifyTransaction = (txnToken: string, workload: string) => Promise<Transaction>;

/**
 * Verifies a transaction token that an authenticated workload presents. Does not check the operation, its parameters, nor
 * whether the token was used before: `createRedemption` does, where the operation is known.
 * @param deps.issuer of the Transaction Token Service, with its keys
 * @param deps.audience our resource identifier
 * @see draft-ietf-oauth-transaction-tokens
 */
export function createTransactionVerifier(deps: {
  issuer: TrustedIssuer;
  audience: string;
  clock: () => Date;
}): VerifyTransaction {
  const { issuer, audience, clock } = deps;
  const verify = createTokenVerifier(transactionToken, { issuers: [issuer], audience, clock });

  return async (txnToken, workload) => {
    const { claims, acceptedUntil } = await verify(txnToken);
    const context = TransactionContext.safeParse(claims.tctx);
    if (!context.success) throw new TokenRefused('claims', { detail: 'tctx' });
    // A workload must not use another workload's token.
    if (claims.req_wl !== workload) throw new OtherWorkload();
    const { iss, txn, jti, scope, sub, act: actor } = claims;
    const { organization_id: organizationId, roles, ...parameters } = context.data;
    return {
      ...{
        issuer: iss,
        txn,
        jti,
        scope,
        workload,
        subject: sub,
        organizationId,
        roles,
        actor,
        acceptedUntil,
      },
      parameters: Object.fromEntries(
        Object.entries(parameters).map(([name, value]) => [name, String(value)]),
      ),
    };
  };
}
