import type { OrganizationId, UserId } from '@legate/ids';
import type { Credential } from './credential.ts';
import type { ServiceAccountId } from './ids.ts';

/** The caller, as identified by the token. */
export interface Caller {
  readonly issuer: string;
  /** The user's `sub`: unique only together with the issuer. Of a service account, its id */
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
  /** What the claims of a token show of its holder; undefined: nothing */
  readonly looksLike?: 'machine' | 'person' | undefined;
  /** The machine as which the caller acts; undefined: a person, or a machine that is not known yet */
  readonly serviceAccount?:
    | {
        readonly id: ServiceAccountId;
        readonly name: string;
        /** `sub` of the client that acts as it; undefined: an API key */
        readonly client?: UserId;
      }
    | undefined;
  readonly credential: Credential;
}
