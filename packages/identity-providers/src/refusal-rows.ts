import type { KindName } from './kinds.ts';

/** The requests in which the hub authenticates: for a tool server, with the code of a sign-in, for a new token */
export type RefusedLeg = 'exchange' | 'sign_in' | 'renewal';

/** Every member that is given must fit. */
interface Condition {
  readonly leg?: RefusedLeg;
  /** `error` of the token endpoint (RFC 6749 §5.2) is one of these. */
  readonly errors?: readonly string[];
  readonly suberror?: string;
  /** One of these numbers is in `error_codes`. */
  readonly codes?: readonly number[];
  /** Part of `error_description`, in any case */
  readonly says?: string;
  /** Status of the HTTP response */
  readonly status?: number;
}

/** What a refusal means for an exchange of an access token */
type Decision =
  | { readonly outcome: 'denied'; readonly why?: 'target_unknown' | 'scope_refused' }
  | {
      readonly outcome: 'expired' | 'misconfigured' | 'unsupported' | 'unavailable';
      readonly why?: undefined;
    };

/**
 * A refusal. A row that decides names `error`, because texts and numbers of a provider change: they may explain alone,
 * but never decide alone. A row that only explains leaves the decision to the rows after it.
 */
export type RefusalRow =
  | (Decision & { readonly when: Condition & { readonly errors: readonly string[] }; readonly hint?: string })
  | {
      readonly when: Condition;
      readonly outcome?: undefined;
      readonly why?: undefined;
      readonly hint: string;
    };

/** What helps if a provider does not accept the hub as its client, in words of the hub's settings */
export const CLIENT_REFUSED =
  "The identity provider does not accept the hub as its client. Compare IDP_CLIENT_ID, and IDP_CLIENT_SECRET, IDP_CLIENT_KEYS (the kid) or IDP_CLIENT_CERTIFICATE, IDP_TOKEN_ENDPOINT_AUTH_METHOD and IDP_CLIENT_ASSERTION_AUDIENCE (the aud of assertions), with the hub's registration there, and check the hub's clock.";
const CONSENT =
  "An administrator of the identity provider must grant consent to these scopes for the hub's client: when the hub acts for the user, nobody can be asked.";
const CERTIFICATE =
  "upload the certificate of the first key of IDP_CLIENT_KEYS, whose x5t#S256 must be that certificate's";

/**
 * What the standards say, for every provider
 * @see RFC 6749 §5.2, RFC 8693 §2.2.2, RFC 9470 §3, OpenID Connect Core §3.1.2.6
 */
export const STANDARD_ROWS: readonly RefusalRow[] = [
  { when: { errors: ['invalid_client'] }, outcome: 'misconfigured', hint: CLIENT_REFUSED },
  // RFC 6749 §5.2: 401 is about the client, not about the user.
  {
    when: { errors: ['access_denied', 'unauthorized_client'], status: 401 },
    outcome: 'misconfigured',
    hint: CLIENT_REFUSED,
  },
  {
    when: { leg: 'exchange', errors: ['unauthorized_client'] },
    outcome: 'misconfigured',
    hint: "Allow the hub's client to use the token exchange at the identity provider, and to ask for tokens of this tool server.",
  },
  {
    when: { errors: ['unauthorized_client'] },
    hint: "Allow the hub's client at the identity provider to use the authorization code and refresh tokens.",
  },
  {
    when: { errors: ['insufficient_user_authentication', 'interaction_required', 'login_required'] },
    outcome: 'expired',
  },
  { when: { leg: 'exchange', errors: ['consent_required'] }, outcome: 'denied', hint: CONSENT },
  { when: { errors: ['invalid_grant'] }, outcome: 'expired' },
  { when: { errors: ['unsupported_grant_type', 'unsupported_token_type'] }, outcome: 'unsupported' },
  { when: { errors: ['invalid_request'], says: 'requested_token_type' }, outcome: 'unsupported' },
  { when: { errors: ['invalid_request'] }, outcome: 'expired' },
  { when: { errors: ['access_denied'] }, outcome: 'denied' },
  { when: { errors: ['invalid_scope'] }, outcome: 'denied', why: 'scope_refused' },
  { when: { errors: ['invalid_target', 'invalid_resource'] }, outcome: 'denied', why: 'target_unknown' },
  { when: { errors: ['temporarily_unavailable', 'server_error', 'slow_down'] }, outcome: 'unavailable' },
];

/**
 * Answers of each provider by its documents, read on 2026-11-28 and 29, not tested by us; docs/how-to/oauth-refusals.md
 * has the sources.
 */
export const ROWS_BY_KIND: Readonly<Partial<Record<KindName, readonly RefusalRow[]>>> = {
  okta: [
    {
      when: { errors: ['invalid_client'], says: 'kid is invalid' },
      hint: "The kid of the assertion is not among the keys of the hub's client: add the public key there, with exactly this kid.",
    },
    {
      when: { errors: ['invalid_client'], says: 'must be the endpoint invoked' },
      hint: 'The aud of the assertion must be the URL of the endpoint: set IDP_CLIENT_ASSERTION_AUDIENCE=token_endpoint, or leave it unset with IDP_KIND=okta.',
    },
    {
      when: { errors: ['invalid_client'], says: 'signature' },
      hint: "No key is registered under this kid, or another one is: compare the first key of IDP_CLIENT_KEYS with the keys of the hub's client.",
    },
    {
      when: { errors: ['unauthorized_client'], says: 'scope not permitted' },
      hint: 'The resource connection does not allow a scope: allow it there, or remove it from the connector.',
    },
    {
      when: { leg: 'exchange', errors: ['unauthorized_client'] },
      hint: "Connect the hub's client to this tool server (Cross App Access, a resource connection) with the scopes of the connector, and switch the grant token exchange on for the client.",
    },
    {
      when: { errors: ['invalid_target'], says: 'resource mismatch' },
      hint: "The connector's resource is not that of the resource connection: write both equally.",
    },
    {
      when: { leg: 'exchange', says: 'requested_token_type' },
      hint: 'A custom authorization server issues no ID-JAGs: set IDP_ISSUER to the org authorization server, without a path.',
    },
  ],
  keycloak: [
    // It answers unauthorized_client where it means invalid_client.
    {
      when: { errors: ['unauthorized_client'], says: 'invalid client credentials' },
      hint: CLIENT_REFUSED,
    },
    {
      when: { errors: ['unauthorized_client'], says: 'client authentication with signed JWT failed' },
      hint: CLIENT_REFUSED,
    },
    {
      when: { says: 'public client is not allowed' },
      hint: "Make the hub's client confidential: switch client authentication on.",
    },
    // An audience is a client there.
    {
      when: { leg: 'exchange', errors: ['invalid_client'], says: 'audience not found' },
      outcome: 'denied',
      why: 'target_unknown',
      hint: 'The realm has no client with the id exchange_audience of the connector, and needs one for each audience: create a client for the tool server, or correct exchange_audience.',
    },
    {
      when: { leg: 'exchange', errors: ['invalid_request'], says: 'requested audience not available' },
      outcome: 'denied',
      why: 'target_unknown',
      hint: "The hub's client cannot have this audience: assign it a client scope with an audience mapper for the client exchange_audience of the connector. If the scope is optional, add it to the connector's scopes.",
    },
    {
      when: { leg: 'exchange', errors: ['invalid_request'], says: 'audience' },
      outcome: 'denied',
      why: 'target_unknown',
    },
    {
      when: { leg: 'exchange', errors: ['invalid_client'], says: 'client disabled' },
      hint: "The client of the tool server, or the hub's, is disabled: enable it.",
    },
    {
      when: { leg: 'exchange', errors: ['invalid_request'], says: 'token exchange is not enabled' },
      outcome: 'misconfigured',
      hint: "Switch the standard token exchange on for the hub's client.",
    },
    {
      when: { leg: 'exchange', says: 'supports access tokens only' },
      hint: 'It exchanges no ID tokens, and issues no ID-JAGs: use another method for the connector.',
    },
    {
      when: { leg: 'exchange', errors: ['access_denied'], says: 'within the token audience' },
      outcome: 'misconfigured',
      hint: "The user's token was issued to another client, without the hub's client in its audience: add it by an audience mapper.",
    },
    {
      when: { leg: 'exchange', errors: ['invalid_scope'], says: 'invalid scopes' },
      hint: "A scope is not assigned to the hub's client: assign it as an optional client scope, or remove it from the connector.",
    },
  ],
  entra: [
    {
      when: { codes: [7000215] },
      hint: `The application does not accept how the hub authenticates. With a secret: IDP_CLIENT_SECRET must be the value of the secret, not its id. With keys: ${CERTIFICATE}.`,
    },
    {
      when: { codes: [7000222] },
      hint: 'The client secret has expired: create another one, and set its value as IDP_CLIENT_SECRET.',
    },
    {
      when: { codes: [700027] },
      hint: `The assertion is not signed with the key of a certificate that is registered, or the key has no x5t#S256, or is not for PS256: ${CERTIFICATE}.`,
    },
    {
      when: { codes: [700016] },
      hint: 'The tenant of IDP_ISSUER has no application with this IDP_CLIENT_ID.',
    },
    { when: { codes: [70003] }, hint: 'It issues no ID-JAGs: use another method for the connector.' },
    {
      when: { codes: [50011] },
      hint: 'The redirect URI is not registered: add PUBLIC_URL/oauth/callback to the application.',
    },
    // The client repeats the same request too often.
    { when: { errors: ['invalid_grant', 'invalid_request'], codes: [50196] }, outcome: 'unavailable' },
    {
      when: { leg: 'exchange', errors: ['invalid_grant', 'interaction_required'], codes: [65001] },
      outcome: 'denied',
      hint: CONSENT,
    },
    {
      when: { leg: 'exchange', errors: ['invalid_grant'], suberror: 'consent_required' },
      outcome: 'denied',
      hint: CONSENT,
    },
    {
      when: { errors: ['invalid_grant', 'interaction_required', 'unauthorized_client'], codes: [50105] },
      outcome: 'denied',
      hint: 'Assign the user to the application, which lets only assigned users in.',
    },
    {
      when: { leg: 'exchange', errors: ['invalid_grant'], codes: [50013, 500131] },
      outcome: 'misconfigured',
      hint: 'The access token of the sign-in is for another audience than the hub: expose the scope access_as_user at the application of the hub, and let applications that open sessions sign users in with it (api://…/access_as_user).',
    },
    {
      when: {
        leg: 'exchange',
        errors: ['invalid_grant', 'invalid_request', 'invalid_scope'],
        codes: [70011, 28002],
      },
      outcome: 'denied',
      why: 'scope_refused',
      hint: "exchange_audience of the connector is not the Application ID URI of the tool server's application, or it has no such scope: compare both.",
    },
    {
      when: { errors: ['invalid_grant', 'invalid_request'], codes: [500011] },
      outcome: 'denied',
      why: 'target_unknown',
    },
    // A sign-in that has ended is invalid_grant there.
    {
      when: { leg: 'exchange', errors: ['invalid_request'] },
      outcome: 'misconfigured',
      hint: 'The identity provider does not take the request as the hub sends it: look at its log of sign-ins.',
    },
  ],
};
