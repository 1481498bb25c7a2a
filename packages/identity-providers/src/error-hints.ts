import type { KindName } from './kinds.ts';

/** What an identity provider answered when it refused a request of the hub (RFC 6749 §5.2) */
export interface ProviderRefusal {
  readonly error: string;
  readonly details?: RefusalDetails | undefined;
}

/** What some providers add to `error`. It is compared with the table here, and never shown. */
export interface RefusalDetails {
  /** `error_description` */
  readonly description?: string | undefined;
  /** `error_codes` */
  readonly codes?: readonly number[] | undefined;
  /** A finer code */
  readonly suberror?: string | undefined;
  /** Status of the HTTP response */
  readonly status?: number | undefined;
}

/** The requests in which the hub authenticates: for an ID-JAG, with the code of a sign-in, for a new token */
export type RefusedLeg = 'exchange' | 'sign_in' | 'renewal';

/** A cause, and what the operator of the hub or an administrator of the provider can do */
interface Hint {
  /** Every member that is given must fit. */
  readonly when: {
    readonly leg?: RefusedLeg;
    readonly error?: string;
    /** Part of the description */
    readonly says?: string;
    readonly code?: number;
  };
  readonly hint: string;
}

const CLIENT_REFUSED =
  "The identity provider does not accept the hub as its client. Compare IDP_CLIENT_ID, and IDP_CLIENT_SECRET, IDP_CLIENT_KEYS (the kid) or IDP_CLIENT_CERTIFICATE, IDP_TOKEN_ENDPOINT_AUTH_METHOD and IDP_CLIENT_ASSERTION_AUDIENCE (the aud of assertions), with the hub's registration there, and check the hub's clock.";

/** Refusals of the hub as a client, by the standards, for every provider */
const GENERAL: readonly Hint[] = [
  { when: { error: 'invalid_client' }, hint: CLIENT_REFUSED },
  {
    when: { leg: 'exchange', error: 'unauthorized_client' },
    hint: "Allow the hub's client to use the token exchange at the identity provider.",
  },
  {
    when: { error: 'unauthorized_client' },
    hint: "Allow the hub's client at the identity provider to use the authorization code and refresh tokens.",
  },
];

/**
 * Answers of each provider by its documents, read on 2026-11-28 (docs/how-to/oauth-refusals.md has the sources): texts
 * and numbers change, so they explain a refusal, and decide nothing.
 */
export const HINTS_BY_KIND: Readonly<Partial<Record<KindName, readonly Hint[]>>> = {
  okta: [
    {
      when: { error: 'invalid_client', says: 'kid is invalid' },
      hint: "The kid of the assertion is not among the keys of the hub's client: add the public key there, with exactly this kid.",
    },
    {
      when: { error: 'invalid_client', says: 'must be the endpoint invoked' },
      hint: 'The aud of the assertion must be the URL of the endpoint: set IDP_CLIENT_ASSERTION_AUDIENCE=token_endpoint, or leave it unset with IDP_KIND=okta.',
    },
    {
      when: { error: 'invalid_client', says: 'signature' },
      hint: "The key that signs is not the one that is registered under its kid: compare the first key of IDP_CLIENT_KEYS with the keys of the hub's client.",
    },
    {
      when: { error: 'unauthorized_client', says: 'Scope not permitted' },
      hint: 'The resource connection does not allow a scope: allow it there, or remove it from the connector.',
    },
    {
      when: { error: 'invalid_target', says: 'Resource mismatch' },
      hint: "The connector's resource is not that of the resource connection: write both equally.",
    },
    {
      when: { leg: 'exchange', says: 'requested_token_type' },
      hint: 'A custom authorization server issues no ID-JAGs: set IDP_ISSUER to the org authorization server, without a path.',
    },
  ],
  keycloak: [
    {
      when: { error: 'unauthorized_client', says: 'Invalid client or Invalid client credentials' },
      hint: `This provider answers unauthorized_client where it means invalid_client. ${CLIENT_REFUSED}`,
    },
    {
      when: { says: 'Public client is not allowed' },
      hint: "Make the hub's client confidential: switch client authentication on.",
    },
    {
      when: { leg: 'exchange', says: 'token exchange is not enabled' },
      hint: "Enable the standard token exchange for the hub's client.",
    },
    {
      when: { leg: 'exchange', says: 'supports access tokens only' },
      hint: 'It exchanges no ID tokens, and issues no ID-JAGs: use another method for the connector.',
    },
    {
      when: { leg: 'exchange', says: 'not within the token audience' },
      hint: "The user's token was issued to another client, without the hub's client in its audience: add it by an audience mapper.",
    },
    {
      when: { leg: 'exchange', error: 'invalid_scope' },
      hint: "A scope is not assigned to the hub's client: assign it as an optional client scope, or remove it from the connector.",
    },
  ],
  entra: [
    {
      when: { code: 7000215 },
      hint: 'The client secret is wrong: IDP_CLIENT_SECRET must be the value of the secret, not its id.',
    },
    {
      when: { code: 7000222 },
      hint: 'The client secret has expired: create another one, and set its value as IDP_CLIENT_SECRET.',
    },
    {
      when: { code: 700027 },
      hint: "The assertion is signed with a key whose certificate is not registered: upload the certificate of the first key of IDP_CLIENT_KEYS, whose x5t#S256 must be that certificate's.",
    },
    {
      when: { code: 700016 },
      hint: 'The tenant of IDP_ISSUER has no application with this IDP_CLIENT_ID.',
    },
    {
      when: { code: 70003 },
      hint: 'It issues no ID-JAGs: use another method for the connector.',
    },
    {
      when: { code: 50011 },
      hint: 'The redirect URI is not registered: add PUBLIC_URL/oauth/callback to the application.',
    },
  ],
};

/**
 * Explains a refusal to an operator: the cause, as far as the provider names it, and what helps.
 * @returns undefined if the error code says it all. The text contains nothing that the provider wrote.
 */
export function explainRefusal(
  kind: KindName,
  leg: RefusedLeg,
  { error, details = {} }: ProviderRefusal,
): string | undefined {
  const { description = '', codes = [] } = details;
  const fits = ({ when }: Hint): boolean =>
    (when.leg === undefined || when.leg === leg) &&
    (when.error === undefined || when.error === error) &&
    (when.says === undefined || description.toLowerCase().includes(when.says.toLowerCase())) &&
    (when.code === undefined || codes.includes(when.code));
  return [...(HINTS_BY_KIND[kind] ?? []), ...GENERAL].find(fits)?.hint;
}
