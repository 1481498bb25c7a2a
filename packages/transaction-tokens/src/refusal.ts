import { OAuthError, type OAuthErrorCode } from '@legate/oauth';
import type { TransactionRule } from './events.ts';

/** A refusal by a rule of its own: the workload sees the code alone, the audit trail has the rule. */
export class TransactionRefused extends OAuthError {
  constructor(
    readonly rule: TransactionRule,
    code: OAuthErrorCode,
    reason: string,
  ) {
    super(code, reason);
  }
}

/** What has no rule of its own is a request that cannot be read. */
export const ruleOf = (refusal: OAuthError): TransactionRule =>
  refusal instanceof TransactionRefused ? refusal.rule : 'request_invalid';
