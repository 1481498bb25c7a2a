import { randomUUID } from 'node:crypto';
import { epochSeconds, type SigningKeys } from '@legate/jwt';
import { type createClientAuthenticator, type FormParameters, TOKEN_TYPE } from '@legate/oauth';
import type { Logger } from '@legate/service';
import { checkGrantType, readTransactionRequest } from './request.ts';
import type { createSubjectCheck } from './subject.ts';
import type { RequestingWorkload } from './workload.ts';

/** RFC 8693 §2.2.1; never a refresh token. */
export interface TransactionTokenResponse {
  readonly access_token: string;
  readonly issued_token_type: typeof TOKEN_TYPE.txnToken;
  /** Not a bearer token: it goes into the header `Txn-Token`, beside the caller's own credentials. */
  readonly token_type: 'N_A';
  readonly expires_in: number;
  readonly scope: string;
}

/**
 * The Transaction Token Service: a workload that was called with a user's access token gets a token for one operation of one
 * service on behalf of that user. What authorizes is the subject token and the table of workloads; `request_details` only
 * narrows, since it comes from the workload.
 * @throws {OAuthError}
 * @see draft-ietf-oauth-transaction-tokens, product specification §5
 */
export function createTransactionTokenService(deps: {
  issuer: string;
  authenticate: ReturnType<typeof createClientAuthenticator<RequestingWorkload>>;
  checkSubject: ReturnType<typeof createSubjectCheck>;
  signingKeys: SigningKeys;
  clock: () => Date;
  log: Pick<Logger, 'info'>;
}) {
  return async (
    authorization: string | undefined,
    form: FormParameters,
  ): Promise<TransactionTokenResponse> => {
    checkGrantType(form);
    const { client: workload } = await deps.authenticate(authorization, form);
    const { subjectToken, audience, operation, details, context } = readTransactionRequest(form, workload);
    const { claims, organizationId, expiresAt } = await deps.checkSubject(
      workload,
      subjectToken,
      operation.subjectScope,
    );

    const now = epochSeconds(deps.clock());
    const exp = Math.min(now + workload.lifetimeSeconds, expiresAt);
    const [txn, jti] = [randomUUID(), randomUUID()];
    const txnToken = await deps.signingKeys.sign(
      {
        iss: deps.issuer,
        aud: audience,
        sub: claims.sub,
        txn,
        jti,
        iat: now,
        exp,
        scope: operation.name,
        req_wl: workload.clientId,
        tctx: { ...details, organization_id: organizationId, roles: claims.roles },
        rctx: { ...context, client_id: claims.client_id },
      },
      { typ: 'txntoken+jwt' },
    );
    deps.log.info(
      {
        ...{ txn, jti, audience, scope: operation.name, req_wl: workload.clientId },
        ...{ sub: claims.sub, organization_id: organizationId, subject_jti: claims.jti },
      },
      'transaction token issued',
    );
    return {
      access_token: txnToken,
      issued_token_type: TOKEN_TYPE.txnToken,
      token_type: 'N_A',
      expires_in: exp - now,
      scope: operation.name,
    };
  };
}
