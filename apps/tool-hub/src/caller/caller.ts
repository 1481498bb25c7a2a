/** On whose behalf a request is made. */
export interface Caller {
  /** `sub` of the ID token */
  readonly userId: string;
  readonly organizationId: string;
  /** The ID token itself, presented as `subject_token` at the identity provider, and nowhere else but by `passthrough`. */
  readonly subjectToken: string;
  /** `aud` of the ID token */
  readonly audiences: readonly string[];
}
