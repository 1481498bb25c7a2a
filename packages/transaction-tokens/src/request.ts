import { type FormParameters, GRANT_TYPE, OAuthError, parseScope, TOKEN_TYPE } from '@legate/oauth';
import { type Members, readMembers } from './members.ts';
import { TransactionRefused } from './refusal.ts';
import type { GrantableOperation, RequestingWorkload } from './workload.ts';

/** A workload's request, within its permissions. */
export interface TransactionRequest {
  readonly subjectToken: string;
  readonly audience: string;
  readonly operation: GrantableOperation;
  readonly details: Members;
  readonly context: Members;
}

/**
 * Checks before client authentication that this is a request for a transaction token.
 * @throws {OAuthError} `invalid_request`, `unsupported_grant_type`
 */
export function checkGrantType(form: FormParameters): void {
  // RFC 8693 §2.1 lets `audience` be repeated; a transaction token has exactly one.
  form.refuseRepeated();
  if (form.require('grant_type') !== GRANT_TYPE.tokenExchange)
    throw new OAuthError('unsupported_grant_type', 'grant_type');
}

/**
 * @throws {OAuthError} `unauthorized_client`, `invalid_request`, `invalid_target`, `invalid_scope`
 * @see draft-ietf-oauth-transaction-tokens, "Txn-Token Request"
 */
export function readTransactionRequest(
  form: FormParameters,
  workload: RequestingWorkload,
): TransactionRequest {
  if (workload.services.size === 0)
    throw new TransactionRefused('workload_not_granted', 'unauthorized_client', 'no services are registered');
  if (form.require('requested_token_type') !== TOKEN_TYPE.txnToken)
    throw new OAuthError('invalid_request', 'requested_token_type');
  const subjectToken = form.require('subject_token');
  // Refuses a workload's own claims (self_signed, unsigned_json), and replacing a Txn-Token.
  if (form.require('subject_token_type') !== TOKEN_TYPE.accessToken)
    throw new OAuthError('invalid_request', 'subject_token_type');
  if (form.find('actor_token') !== undefined) throw new OAuthError('invalid_request', 'actor_token');

  const audience = form.require('audience');
  const operations = workload.services.get(audience);
  if (!operations) throw new TransactionRefused('service_not_granted', 'invalid_target', 'audience');
  if (form.find('resource') !== undefined) throw new OAuthError('invalid_target', 'resource');

  const [name, ...more] = parseScope(form.find('scope'));
  const operation = name === undefined ? undefined : operations.get(name);
  if (!operation || more.length > 0)
    throw new TransactionRefused('operation_not_granted', 'invalid_scope', 'not a known operation');

  return {
    subjectToken,
    audience,
    operation,
    details: readMembers('request_details', form.find('request_details'), operation.details),
    context: readMembers('request_context', form.find('request_context'), workload.context),
  };
}
