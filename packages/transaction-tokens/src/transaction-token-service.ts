import { randomUUID } from 'node:crypto';
import type { OrganizationId } from '@legate/ids';
import { epochSeconds, type SigningKeys, transactionToken } from '@legate/jwt';
import { type createClientAuthenticator, type FormParameters, OAuthError, TOKEN_TYPE } from '@legate/oauth';
import type { DeniedToken, IssuedToken } from './events.ts';
import { ruleOf } from './refusal.ts';
import { checkGrantType, readTransactionRequest, type TransactionRequest } from './request.ts';
import { type createSubjectCheck, requireCoverage, type TransactionSubject } from './subject.ts';
import type { RequestingWorkload } from './workload.ts';

/** RFC 8693 §2.2.1; never a refresh token. */
export interface TransactionTokenResponse {
  readonly access_token: string;
  readonly issued_token_type: typeof TOKEN_TYPE.txnToken;
  /**
   * The `token_type` of a token that is not a bearer token: it is sent in the header `Txn-Token`, with the caller's own
   * credentials.
   */
  readonly token_type: 'N_A';
  readonly expires_in: number;
  readonly scope: string;
}

interface ServiceDependencies {
  issuer: string;
  authenticate: ReturnType<typeof createClientAuthenticator<RequestingWorkload>>;
  checkSubject: ReturnType<typeof createSubjectCheck>;
  /** @throws {OAuthError} when the user's access has ended since the subject token was issued */
  requireAccess: (subject: TransactionSubject) => Promise<void>;
  signingKeys: SigningKeys;
  /**
   * @param organizationId undefined if the organization is unknown
   * @throws {OAuthError} if the workload's limit, or that for this organization, is exceeded
   */
  limit: (workloadId: string, organizationId?: OrganizationId) => Promise<void>;
  clock: () => Date;
  log: { info(fields: object, text: string): void };
  onIssued: (issued: IssuedToken) => void;
  /** Called for refused requests with a verified workload and user; docs/adr/0023 */
  onDenied: (denied: DeniedToken) => void;
  /** The outcome, `issued` or the error's code; workloadId is undefined if the workload is unknown. */
  onOutcome: (workloadId: string | undefined, outcome: string) => void;
}

/**
 * The Transaction Token Service: a workload that was called with a user's access token gets a token for one operation
 * of one service on behalf of that user. The subject token and the table of workloads authorize it; `request_details`
 * only narrows, because it comes from the workload.
 * @throws {OAuthError}
 * @see draft-ietf-oauth-transaction-tokens, product specification §5
 */
export function createTransactionTokenService(deps: ServiceDependencies) {
  return async (
    authorization: string | undefined,
    form: FormParameters,
    requestId: string | undefined,
  ): Promise<TransactionTokenResponse> => {
    let workloadId: string | undefined;
    try {
      checkGrantType(form);
      const { client: workload } = await deps.authenticate(authorization, form);
      workloadId = workload.clientId;
      const asked = await read(workload, form, requestId);
      await deps.limit(workloadId, asked.subject.organizationId);
      const response = await issue(deps, workload, asked, requestId);
      deps.onOutcome(workloadId, 'issued');
      return response;
    } catch (err) {
      deps.onOutcome(workloadId, err instanceof OAuthError ? err.code : 'server_error');
      throw err;
    }
  };

  async function read(workload: RequestingWorkload, form: FormParameters, requestId: string | undefined) {
    let checked: Promise<TransactionSubject> | undefined;
    const checkSubject = async () => {
      checked ??= deps.checkSubject(workload, form.require('subject_token'));
      return checked;
    };
    try {
      const wanted = readTransactionRequest(form, workload);
      const subject = await checkSubject();
      requireCoverage(subject, wanted.operation);
      await deps.requireAccess(subject);
      return { ...wanted, subject };
    } catch (err) {
      // Records only what is verified: a forged token could bring any user's name into the audit trail of an organization.
      const subject = await checkSubject().catch(() => undefined);
      // Records refusals only within the rate limit, otherwise the trail could be flooded.
      await deps.limit(workload.clientId, subject?.organizationId);
      if (subject && err instanceof OAuthError) {
        const { organizationId, claims } = subject;
        deps.onDenied({
          ...{ workloadId: workload.clientId, organizationId, userId: claims.sub },
          ...{ subjectToken: form.require('subject_token'), requestId },
          ...{ audience: form.find('audience'), operation: form.find('scope') },
          ...{ rule: ruleOf(err), reason: err.message },
        });
      }
      throw err;
    }
  }
}

async function issue(
  deps: ServiceDependencies,
  workload: RequestingWorkload,
  {
    subjectToken,
    audience,
    operation,
    details,
    context,
    subject,
  }: TransactionRequest & { readonly subject: TransactionSubject },
  requestId: string | undefined,
): Promise<TransactionTokenResponse> {
  const { claims, organizationId, expiresAt } = subject;
  const now = epochSeconds(deps.clock());
  const exp = Math.min(now + workload.lifetimeSeconds, expiresAt);
  const [txn, jti] = [randomUUID(), randomUUID()];
  const txnToken = await deps.signingKeys.sign(
    {
      iss: deps.issuer,
      aud: audience,
      sub: claims.sub,
      act: claims.act,
      txn,
      jti,
      iat: now,
      exp,
      scope: operation.name,
      req_wl: workload.clientId,
      tctx: { ...details, organization_id: organizationId, roles: claims.roles },
      rctx: { ...context, client_id: claims.client_id },
    },
    { typ: transactionToken.typ[0] },
  );
  deps.log.info(
    {
      ...{ txn, jti, audience, scope: operation.name, req_wl: workload.clientId },
      ...{ sub: claims.sub, organization_id: organizationId, subject_jti: claims.jti },
    },
    'transaction token issued',
  );
  deps.onIssued({
    ...{ workloadId: workload.clientId, organizationId, userId: claims.sub, subjectToken },
    ...{ audience, operation: operation.name, txn, jti, requestId },
  });
  return {
    access_token: txnToken,
    issued_token_type: TOKEN_TYPE.txnToken,
    token_type: 'N_A',
    expires_in: exp - now,
    scope: operation.name,
  };
}
