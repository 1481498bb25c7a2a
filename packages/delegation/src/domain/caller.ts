import type { SubjectTokenType } from '@legate/identity-providers';
import type { AgentId, OrganizationId, UserId } from '@legate/ids';

/** The user on whose behalf a credential is obtained. */
export interface Caller {
  /** The user's id: `sub` of the ID token, or the claim that the kind of identity provider has for it */
  readonly userId: UserId;
  /** `sub` of the ID token, if it is not the user's id */
  readonly subject?: string | undefined;
  readonly organizationId: OrganizationId;
  /**
   * The ID token itself: the `subject_token` at the identity provider, unless `exchangeToken` is set. Only
   * `passthrough` sends it anywhere else.
   */
  readonly subjectToken: string;
  /** The token for an identity provider that does not exchange the ID token. It is sent nowhere else. */
  readonly exchangeToken?: ExchangeToken | undefined;
  /** The id of the ID token in the audit trail (`tokenId`) */
  readonly subjectTokenId: string;
  /** `aud` of the ID token */
  readonly audiences: readonly string[];
  /** The sign-in of the ID token; undefined for a session, which has its own record */
  readonly signIn?: SignIn | undefined;
  readonly authentication: Authentication;
  /** The session whose handle was presented; undefined: it was the ID token. */
  readonly session?: CallerSession | undefined;
  /** The agent that acts for the user, if an agent has authenticated */
  readonly agentId?: AgentId | undefined;
}

/** A token of the same sign-in as the ID token, or the reason why there is none */
export type ExchangeToken =
  | { readonly type: SubjectTokenType; readonly token: string }
  | { readonly type: SubjectTokenType; readonly lend: LendToken }
  | { readonly type: SubjectTokenType; readonly lack: ExchangeTokenLack };

/**
 * Lends a token that the response may replace, so that only one request at a time may present it: waits for its turn,
 * sends, and keeps what the response makes of the token.
 * @param send presents the token exactly once, and does not throw
 */
export type LendToken = <Reply extends { readonly became: LentToken }>(
  send: (token: string) => Promise<Reply>,
) => Promise<Reply | { readonly lack: ExchangeTokenLack }>;

/** The state of a token that was lent, after the request that presented it */
export type LentToken =
  /** The response may contain the next token; without one, this token stays valid. */
  | { readonly kind: 'answered'; readonly next: string | undefined }
  /** Refused with an error code (RFC 6749 §5.2) */
  | { readonly kind: 'refused'; readonly error: string }
  /** Certainly not used */
  | { readonly kind: 'untouched' }
  /** Perhaps used, and the response with the next token is lost */
  | { readonly kind: 'lost' };

/**
 * - `session`: the caller has presented an ID token, or a session that has no such token.
 * - `renewal`: the token cannot be renewed at the moment.
 * - `client`: the refresh token was issued to another client, and only that client may present it (RFC 6749 §6).
 * - `turn`: other requests with the token have taken too long.
 * - `lost`: the response that replaced the token was lost.
 */
export type ExchangeTokenLack = 'session' | 'renewal' | 'client' | 'turn' | 'lost';

/** The data that is compared with sign-outs; times in epoch seconds. */
export interface SignIn {
  /** `iat` of the ID token */
  readonly issuedAt: number;
  /** `exp` of the ID token */
  readonly expiresAt: number;
  /** `sid`: the session at the identity provider */
  readonly sid?: string | undefined;
}

/** How the user signed in, according to the ID token. Tokens obtained with this sign-in are bound to it. */
export interface Authentication {
  /** The client id of the application: `azp`, otherwise `aud` */
  readonly client: string;
  readonly acr?: string | undefined;
  readonly amr?: readonly string[] | undefined;
  /** Epoch seconds */
  readonly authTime?: number | undefined;
}

export interface CallerSession {
  /** Storage key of the session; not secret */
  readonly key: string;
  /** The sign-in at the identity provider from which the session was created */
  readonly sid?: string | undefined;
  /** Set if the sign-in was made because the identity provider asked for it with `claims` */
  readonly claimsMet?: ClaimsMet | undefined;
}

export interface ClaimsMet {
  /** Names the `claims` */
  readonly fingerprint: string;
  /** Epoch seconds until which the user is not asked for the same sign-in again */
  readonly until: number;
}
