/** The reason why a token was refused, for logs and tests. A service decides how much of it a caller may see. */
export type RefusalReason =
  | 'too_large'
  | 'malformed'
  | 'algorithm'
  | 'critical_header'
  | 'typ'
  | 'issuer'
  | 'key'
  | 'signature'
  | 'claims'
  | 'audience'
  | 'expired'
  | 'not_yet_valid'
  | 'lifetime'
  /** It names several organizations, and which of them is meant decides whose data is reached. */
  | 'organization_ambiguous';

/** The token itself is invalid: sending it again will not help. */
export class TokenRefused extends Error {
  override readonly name = 'TokenRefused';
  /** Names of the claims at fault, separated by spaces, if `reason` is `claims` or `organization_ambiguous`; never a value */
  readonly detail: string | undefined;
  constructor(
    readonly reason: RefusalReason,
    options?: { cause?: unknown; detail?: string },
  ) {
    super(options?.detail ? `${reason}: ${options.detail}` : reason, options);
    this.detail = options?.detail;
  }
}

/**
 * The issuer's keys are unavailable, so nothing is known about the token. Never report this as a refusal: after
 * `invalid_grant` a client discards a token that may be valid.
 */
export class KeysUnavailable extends Error {
  override readonly name = 'KeysUnavailable';
  constructor(
    readonly issuer: string,
    options?: { cause?: unknown },
  ) {
    super(`signing keys of ${issuer} are unavailable`, options);
  }
}
