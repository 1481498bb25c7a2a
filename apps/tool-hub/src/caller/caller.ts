/** On whose behalf a request is made. */
export interface Caller {
  /** `sub` of the ID token */
  readonly userId: string;
  readonly organizationId: string;
  /** The ID token itself, presented as `subject_token` at the identity provider, and nowhere else but by `passthrough`. */
  readonly subjectToken: string;
  /** By what that token is recognised in the trail (`tokenId`) */
  readonly subjectTokenId: string;
  /** `aud` of the ID token */
  readonly audiences: readonly string[];
  /** The hub session whose handle was presented; undefined: it was the ID token. */
  readonly session?: CallerSession | undefined;
  /** The request by which he calls; undefined where there is none */
  readonly origin?: CallOrigin | undefined;
}

export interface CallerSession {
  /** Under which the session is stored; no secret */
  readonly key: string;
  /** The sign-in at the identity provider from which it came */
  readonly sid?: string | undefined;
}

/** For the audit trail: told by the caller, and believed to be nothing but names. */
export interface CallOrigin {
  /** An application's or an agent's */
  readonly door: 'api' | 'mcp';
  readonly requestId: string;
  /** Of the trace that the caller is in (W3C Trace Context), else the request's */
  readonly traceId: string;
  readonly agentId: string | undefined;
}
