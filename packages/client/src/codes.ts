/**
 * The meaning of each problem code of the hub for its caller. Codes are stable. A hub that is newer than this client
 * may return others, which become `unknown`.
 */
const KIND_OF_CODE = {
  connection_required: 'connection_required',

  token_missing: 'sign_in_required',
  token_invalid: 'sign_in_required',
  token_expired: 'sign_in_required',
  organization_id_required: 'sign_in_required',
  session_ended: 'sign_in_required',
  signed_out: 'sign_in_required',
  sign_in_required: 'sign_in_required',

  access_revoked: 'denied',
  agent_inactive: 'denied',
  agent_mismatch: 'denied',
  agent_required: 'denied',
  agent_unauthenticated: 'denied',
  agent_unknown: 'denied',
  consent_denied: 'denied',
  delegation_denied: 'denied',
  fallback_not_approved: 'denied',
  id_token_required: 'denied',
  insufficient_permission: 'denied',
  membership_revoked: 'denied',
  organization_ambiguous: 'denied',
  organization_suspended: 'denied',
  tool_forbidden: 'denied',
  user_id_unsupported: 'denied',
  workload_required: 'denied',
  workload_unknown: 'denied',

  call_not_found: 'not_found',
  client_not_found: 'not_found',
  connector_not_found: 'not_found',
  not_found: 'not_found',
  session_not_found: 'not_found',
  tool_not_found: 'not_found',

  agent_capability_missing: 'invalid',
  connection_not_used: 'invalid',
  expectation_failed: 'invalid',
  headers_too_large: 'invalid',
  invalid_arguments: 'invalid',
  malformed_json: 'invalid',
  malformed_path: 'invalid',
  malformed_request: 'invalid',
  method_not_allowed: 'invalid',
  payload_too_large: 'invalid',
  refresh_token_in_use: 'invalid',
  unsupported_media_type: 'invalid',
  validation_failed: 'invalid',

  audit_unavailable: 'unavailable',
  concurrency_exceeded: 'unavailable',
  connectors_unavailable: 'unavailable',
  examination_running: 'unavailable',
  explanations_unavailable: 'unavailable',
  hub_busy: 'unavailable',
  idp_unavailable: 'unavailable',
  internal_error: 'unavailable',
  rate_limit_exceeded: 'unavailable',
  request_timeout: 'unavailable',
  session_store_unavailable: 'unavailable',
  token_store_unavailable: 'unavailable',
  tool_server_unavailable: 'unavailable',

  connector_misconfigured: 'misconfigured',
  tool_server_error: 'misconfigured',
} as const;

export type HubCode = keyof typeof KIND_OF_CODE;
export type ProblemKind = (typeof KIND_OF_CODE)[HubCode];

/**
 * The codes of one kind of outcome. `unknown` stands for a code that this version does not know; `rawCode` contains it.
 */
export type CodeOf<Kind extends ProblemKind> =
  | { [Code in HubCode]: (typeof KIND_OF_CODE)[Code] extends Kind ? Code : never }[HubCode]
  | 'unknown';

/** All codes that this version knows. */
export const HUB_CODES = Object.keys(KIND_OF_CODE) as readonly HubCode[];

export const isHubCode = (code: unknown): code is HubCode =>
  typeof code === 'string' && Object.hasOwn(KIND_OF_CODE, code);

export const kindOf = <Code extends HubCode>(code: Code): (typeof KIND_OF_CODE)[Code] => KIND_OF_CODE[code];

/** The reasons why the user must sign in: those of the hub for refusing a token, and those of this client. */
const SIGN_IN_REASONS = [
  'malformed',
  'unknown',
  'wrong_endpoint',
  'wrong_type',
  'untrusted_signature',
  'wrong_audience',
  'expired',
  'not_yet_valid',
  'too_long_lived',
  'no_organization',
  'session_ended',
  /** The identity provider no longer accepts the sign-in, or requires a stronger one (`maxAge`, `acrValues`, `claims`). */
  'new_sign_in_wanted',
  /** The application had no ID token. */
  'no_id_token',
] as const;
export type SignInReason = (typeof SIGN_IN_REASONS)[number];

export const isSignInReason = (reason: unknown): reason is SignInReason =>
  SIGN_IN_REASONS.some((known) => known === reason);
