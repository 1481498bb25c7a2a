import type { ProviderRefusal } from './error-hints.ts';
import type { KindName } from './kinds.ts';

/**
 * What a refusal of an exchanged access token means. A row applies if every member that it names is in the answer: the
 * number of a vendor never decides alone.
 */
export interface ExchangeRefusal {
  /** `error` of the token endpoint (RFC 6749 §5.2) */
  readonly errors: readonly string[];
  readonly suberror?: string;
  /** One of these numbers is in `error_codes` */
  readonly codes?: readonly number[];
  /** Part of `error_description`, in any case */
  readonly says?: string;
  /** Status of the HTTP response */
  readonly status?: number;
  readonly outcome: 'denied' | 'expired' | 'misconfigured' | 'unsupported' | 'unavailable';
  readonly why?: 'target_unknown' | 'scope_refused';
  /** What an administrator can look at, in our words */
  readonly hint?: string;
}

const CLIENT_REFUSED = 'the provider refuses how the hub authenticates';

/** What the standards say (RFC 6749 §5.2, RFC 8693 §2.2.2, RFC 9470 §3, OpenID Connect Core §3.1.2.6) */
const STANDARD: readonly ExchangeRefusal[] = [
  {
    errors: ['insufficient_user_authentication', 'interaction_required', 'login_required'],
    outcome: 'expired',
  },
  { errors: ['consent_required'], outcome: 'denied', hint: 'an administrator must grant consent' },
  {
    errors: ['invalid_grant'],
    suberror: 'consent_required',
    outcome: 'denied',
    hint: 'an administrator must grant consent',
  },
  { errors: ['invalid_grant'], outcome: 'expired' },
  { errors: ['unsupported_grant_type', 'unsupported_token_type'], outcome: 'unsupported' },
  { errors: ['invalid_request'], says: 'requested_token_type', outcome: 'unsupported' },
  { errors: ['invalid_request'], outcome: 'expired' },
  // RFC 6749 §5.2: 401 is about the client, not about the user.
  {
    errors: ['access_denied', 'unauthorized_client'],
    status: 401,
    outcome: 'misconfigured',
    hint: CLIENT_REFUSED,
  },
  { errors: ['access_denied'], outcome: 'denied' },
  { errors: ['invalid_scope'], outcome: 'denied', why: 'scope_refused' },
  { errors: ['invalid_target', 'invalid_resource'], outcome: 'denied', why: 'target_unknown' },
  { errors: ['temporarily_unavailable', 'server_error', 'slow_down'], outcome: 'unavailable' },
  {
    errors: ['unauthorized_client'],
    outcome: 'misconfigured',
    hint: 'the client of the hub may not exchange tokens there, or not for this audience',
  },
  {
    errors: ['invalid_client'],
    outcome: 'misconfigured',
    hint: CLIENT_REFUSED,
  },
];

/** Rows of a kind, by its documents, not tested by us. The first one that applies decides, before those of the standards. */
const BY_KIND: Partial<Record<KindName, readonly ExchangeRefusal[]>> = {
  keycloak: [
    // The audience is a client there; its own one is refused with unauthorized_client.
    {
      errors: ['invalid_client', 'invalid_request'],
      says: 'audience',
      outcome: 'denied',
      why: 'target_unknown',
    },
    {
      errors: ['invalid_request'],
      says: 'token exchange',
      outcome: 'misconfigured',
      hint: 'standard token exchange is off for the client of the hub',
    },
    {
      errors: ['access_denied'],
      says: 'audience',
      outcome: 'misconfigured',
      hint: 'the client of the hub is not among the audiences of the access token',
    },
  ],
  entra: [
    // AADSTS50196: the client repeats the same request too often.
    { errors: ['invalid_grant', 'invalid_request'], codes: [50196], outcome: 'unavailable' },
    {
      errors: ['invalid_grant', 'interaction_required'],
      codes: [65001],
      outcome: 'denied',
      hint: 'an administrator must grant consent',
    },
    {
      errors: ['invalid_grant', 'interaction_required', 'unauthorized_client'],
      codes: [50105],
      outcome: 'denied',
      hint: 'the user is not assigned to the application',
    },
    {
      errors: ['invalid_grant'],
      codes: [50013, 500131],
      outcome: 'misconfigured',
      hint: 'the access token of the sign-in is for another audience than the hub: look at the scope of the sign-in',
    },
    {
      errors: ['invalid_grant', 'invalid_request'],
      codes: [70011, 28002],
      outcome: 'denied',
      why: 'scope_refused',
    },
    {
      errors: ['invalid_grant', 'invalid_request'],
      codes: [500011],
      outcome: 'denied',
      why: 'target_unknown',
    },
    // A sign-in that has ended is invalid_grant there.
    {
      errors: ['invalid_request'],
      outcome: 'misconfigured',
      hint: 'the provider takes the request for invalid',
    },
  ],
};

/** Returns the rows of a kind of provider, in the order in which they are tried. */
export const exchangeRefusalsOf = (kind: KindName): readonly ExchangeRefusal[] => [
  ...(BY_KIND[kind] ?? []),
  ...STANDARD,
];

/** @returns undefined for an error that no row has */
export const findExchangeRefusal = (
  rows: readonly ExchangeRefusal[],
  { error, details: { suberror, codes = [], description = '', status } = {} }: ProviderRefusal,
): ExchangeRefusal | undefined =>
  rows.find(
    (row) =>
      row.errors.includes(error) &&
      (row.suberror === undefined || row.suberror === suberror) &&
      (row.codes === undefined || row.codes.some((code) => codes.includes(code))) &&
      (row.says === undefined || description.toLowerCase().includes(row.says)) &&
      (row.status === undefined || row.status === status),
  );
