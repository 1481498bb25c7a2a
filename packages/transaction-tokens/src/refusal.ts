import { OAuthError, type OAuthErrorCode } from '@legate/oauth';
import type { TransactionRule } from './events.ts';

/** A refusal by a specific rule: the workload sees only the code, the audit trail has the rule. */
export class TransactionRefused extends OAuthError {
  constructor(
    readonly rule: TransactionRule,
    code: OAuthErrorCode,
    reason: string,
  ) {
    super(code, reason);
  }
}

/** A refusal without a specific rule means that the request is malformed. */
export const ruleOf = (refusal: OAuthError): TransactionRule =>
  refusal instanceof TransactionRefused ? refusal.rule : 'request_invalid';
