import type { OrganizationId, UserId } from '@legate/ids';

/** A workload's request for a transaction token with a known user: the workload acts for that user. */
interface WorkloadRequest {
  readonly workloadId: string;
  readonly organizationId: OrganizationId;
  readonly userId: UserId;
  readonly subjectToken: string;
  readonly requestId: string | undefined;
}

export interface IssuedToken extends WorkloadRequest {
  /** The service and the operation */
  readonly audience: string;
  readonly operation: string;
  readonly txn: string;
  readonly jti: string;
}

export interface DeniedToken extends WorkloadRequest {
  /** The workload's requested values */
  readonly audience: string | undefined;
  readonly operation: string | undefined;
  readonly rule: TransactionRule;
  /** The reason as a text for people; contains nothing from the request */
  readonly reason: string;
}

/** The reasons for which a known workload gets no transaction token for a known user; the names are part of the API. */
export type TransactionRule =
  | 'request_invalid'
  /** The workload has no services at all. */
  | 'workload_not_granted'
  | 'service_not_granted'
  | 'operation_not_granted'
  /** The access token does not cover the operation. */
  | 'scope_insufficient'
  /** The user, or the organization, was revoked or has signed out since the access token was issued. */
  | 'access_revoked'
  /** The access token is bound to a key. */
  | 'token_bound';
