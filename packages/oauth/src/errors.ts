/** RFC 6749 §4.1.2.1 and §5.2; `invalid_target` RFC 8707 §2. */
export type OAuthErrorCode =
  | 'invalid_request'
  | 'invalid_client'
  | 'invalid_grant'
  | 'unauthorized_client'
  | 'unsupported_grant_type'
  | 'unsupported_response_type'
  | 'invalid_scope'
  | 'invalid_target'
  | 'access_denied'
  | 'temporarily_unavailable';

/** Fixed texts within RFC 6749's character set; they never repeat the caller's input. */
export const PUBLIC_TEXT: Readonly<Record<OAuthErrorCode, string>> = {
  invalid_request: 'The request is missing a parameter, repeats one, or is otherwise malformed.',
  invalid_client: 'Client authentication failed.',
  invalid_grant: 'The assertion or grant is invalid, expired, already used, or was issued to another client.',
  unauthorized_client: 'The client may not use this grant type.',
  unsupported_grant_type: 'The grant type is not supported.',
  unsupported_response_type: 'The authorization endpoint issues nothing here; use the token endpoint.',
  invalid_scope: 'None of the requested scopes can be granted.',
  invalid_target: 'The requested audience or resource is unknown or not allowed.',
  access_denied: 'Policy does not allow this user or client to use the resource.',
  temporarily_unavailable: 'The authorization server cannot answer at the moment; try again.',
};

/** A refusal: the client sees `code` and a fixed text; `reason` is for the log and the tests, and contains no token. */
export class OAuthError extends Error {
  override readonly name = 'OAuthError';
  /** HTTP status other than the code's own, such as 405 or 415 for an `invalid_request`. */
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;

  constructor(
    readonly code: OAuthErrorCode,
    readonly reason: string,
    options: { cause?: unknown; status?: number; headers?: Record<string, string> } = {},
  ) {
    super(`${code}: ${reason}`, options.cause === undefined ? undefined : { cause: options.cause });
    this.status = options.status ?? STATUS[code] ?? 400;
    this.headers = options.headers ?? {};
  }
}

const STATUS: Partial<Record<OAuthErrorCode, number>> = { invalid_client: 401, temporarily_unavailable: 503 };
