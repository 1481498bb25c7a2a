import type { OrganizationId, UserId } from '@legate/ids';
import type { Credential } from './credential.ts';

/** The caller, as identified by the token. */
export interface Caller {
  readonly issuer: string;
  /** The user's `sub`: unique only together with the issuer */
  readonly subject: UserId;
  readonly organizationId: OrganizationId | undefined;
  readonly email: string | undefined;
  readonly name: string | undefined;
  readonly roles: readonly string[] | undefined;
  /** The `scope` claim as it is */
  readonly scope: string | undefined;
  readonly emailVerified?: boolean | undefined;
  /** `iat` of the token, in epoch seconds */
  readonly issuedAt?: number | undefined;
  /** True if a service calls for the user, with a transaction token. */
  readonly isTransaction?: boolean;
  readonly credential: Credential;
}
