import type { OrganizationId, UserId } from '@legate/ids';
import type { ActiveRequest, MemoryHold } from '@legate/service';

/** On whose behalf a request is made. */
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
  /** The hub session whose handle was presented; undefined: it was the ID token. */
  readonly session?: CallerSession | undefined;
  /** The caller's request; undefined where there is none */
  readonly origin?: CallOrigin | undefined;
  /** Counts what that request keeps in memory; undefined where nothing does */
  readonly memory?: MemoryHold | undefined;
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

/** The request by which a caller came, for the audit trail. */
export interface CallOrigin {
  /** An application's or an agent's */
  readonly door: 'api' | 'mcp';
  /** The hub's own id of the request */
  readonly requestId: string;
  /** Id of the trace that the hub began (W3C Trace Context), else the request's id; undefined in a trace of the caller */
  readonly traceId: string | undefined;
  /** The `X-Request-Id` that the caller sent: a name that the caller chose */
  readonly callerRequestId: string | undefined;
  /** Id of the trace that the caller is in: a name that the caller chose */
  readonly callerTraceId: string | undefined;
  /** A name that the caller chose */
  readonly agentId: string | undefined;
  /** What peers are told of it */
  readonly request?: ActiveRequest | undefined;
}
