import type { OrganizationId, UserId } from '@legate/ids';
import type { ActiveRequest } from '@legate/service/outbound';

/** On whose behalf a credential is obtained. */
export interface Caller {
  /** `sub` of the ID token */
  readonly userId: UserId;
  readonly organizationId: OrganizationId;
  /** The ID token itself, presented as `subject_token` at the identity provider, and nowhere else but by `passthrough`. */
  readonly subjectToken: string;
  /** By what that token is recognised in the trail (`tokenId`) */
  readonly subjectTokenId: string;
  /** `aud` of the ID token */
  readonly audiences: readonly string[];
  /** The sign-in that the ID token tells of; undefined for a session, which is judged by its own record */
  readonly signIn?: SignIn | undefined;
  readonly authentication: Authentication;
  /** The session whose handle was presented; undefined: it was the ID token. */
  readonly session?: CallerSession | undefined;
  /** The caller's request, whose ids peers are told; undefined where there is none */
  readonly origin?: { readonly request?: ActiveRequest | undefined } | undefined;
}

/** What a sign-out is compared with; times in epoch seconds. */
export interface SignIn {
  /** `iat` of the ID token */
  readonly issuedAt: number;
  /** `exp` of the ID token */
  readonly expiresAt: number;
  /** `sid`: the session at the identity provider */
  readonly sid?: string | undefined;
}

/** How the user signed in, as the ID token says it. A token that was obtained with it is bound to that. */
export interface Authentication {
  /** The application: `azp`, else `aud` */
  readonly client: string;
  readonly acr?: string | undefined;
  readonly amr?: readonly string[] | undefined;
  /** Epoch seconds */
  readonly authTime?: number | undefined;
}

export interface CallerSession {
  /** Under which the session is stored; no secret */
  readonly key: string;
  /** The sign-in at the identity provider from which it came */
  readonly sid?: string | undefined;
}
