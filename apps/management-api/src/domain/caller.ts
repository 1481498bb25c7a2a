import type { OrganizationId, UserId } from '@legate/ids';
import type { Credential } from './credential.ts';
import type { ServiceAccountId } from './ids.ts';

/** The caller, as identified by the token. */
export interface Caller {
  readonly issuer: string;
  /** The user's `sub`, which is unique only together with the issuer; for a service account, its id */
  readonly subject: UserId;
  readonly organizationId: OrganizationId | undefined;
  /** The claim whose values the map of ORGANIZATION_RULE lacks, which is why there is no organization */
  readonly unmappedClaim?: string | undefined;
  /** The claim that should name the organization, if the token names none */
  readonly organizationClaim?: string | undefined;
  readonly email: string | undefined;
  readonly name: string | undefined;
  readonly roles: readonly string[] | undefined;
  /** The `scope` claim, unchanged */
  readonly scope: string | undefined;
  readonly emailVerified?: boolean | undefined;
  /** `iat` of the token, in epoch seconds */
  readonly issuedAt?: number | undefined;
  /** True if a service acts for the user with a transaction token. */
  readonly isTransaction?: boolean;
  /** What the token's claims contain about its holder; undefined: nothing */
  readonly looksLike?: 'machine' | 'person' | undefined;
  /** The machine as which the caller acts; undefined: a person, or a machine that is not yet known */
  readonly serviceAccount?:
    | {
        readonly id: ServiceAccountId;
        readonly name: string;
        /** `sub` of the OAuth client of the machine; undefined: the machine uses an API key */
        readonly client?: UserId;
      }
    | undefined;
  readonly credential: Credential;
}
