import type { OrganizationId, UserId } from '@legate/ids';

/** A request of a workload for a transaction token, of which is known for whom it is: the workload acts for that user. */
interface WorkloadRequest {
  readonly workloadId: string;
  readonly organizationId: OrganizationId;
  readonly userId: UserId;
  readonly subjectToken: string;
  readonly requestId: string | undefined;
}

export interface IssuedToken extends WorkloadRequest {
  /** The service, and what may be done there */
  readonly audience: string;
  readonly operation: string;
  readonly txn: string;
  readonly jti: string;
}

export interface DeniedToken extends WorkloadRequest {
  /** What the workload wanted, in its own words */
  readonly audience: string | undefined;
  readonly operation: string | undefined;
  readonly rule: TransactionRule;
  /** For people; holds nothing that was sent */
  readonly reason: string;
}

/** By which rule a workload that is known gets no transaction token for a user who is; a name is part of the API. */
export type TransactionRule =
  | 'request_invalid'
  /** It has no services at all. */
  | 'workload_not_granted'
  | 'service_not_granted'
  | 'operation_not_granted'
  /** The access token does not cover the operation. */
  | 'scope_insufficient'
  /** The user, or the organization, was revoked or has signed out since the access token was issued. */
  | 'access_revoked'
  /** The access token is good only for whoever has a key. */
  | 'token_bound';
