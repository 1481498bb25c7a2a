/** Members of a JSON document. In metadata, `undefined` removes a member. */
export type Members = Readonly<Record<string, unknown>>;

/** A response of a token endpoint */
export interface Answer {
  readonly status: number;
  readonly body: Members;
}

/** Paths from the root of the origin; undefined if the provider has no such endpoint */
export interface Endpoints {
  readonly authorization: string;
  readonly token: string;
  readonly jwks: string;
  readonly userinfo: string;
  readonly endSession: string | undefined;
  readonly revocation: string | undefined;
}

/** A user who is signed in at a client, as described by tokens */
export interface SignedIn {
  readonly userId: string;
  readonly email: string;
  readonly emailVerified: boolean;
  readonly name: string;
  readonly organizationId: string | undefined;
  readonly role: string | undefined;
  readonly clientId: string;
  /** Different for each token */
  readonly tokenId: string;
}

/** An access token in the form of RFC 9068, before it is converted to the provider's form */
export interface StandardAccessToken {
  readonly claims: Members & { readonly sub: string; readonly client_id: string; readonly scope: string };
  /** Undefined for a token without a user */
  readonly userId: string | undefined;
}

export interface AccessToken {
  /** Header parameter; undefined: the header has none */
  readonly typ: string | undefined;
  readonly claims: Members;
}

/** The error codes of a token endpoint for which providers document their own response */
export type ErrorCode =
  | 'invalid_request'
  | 'invalid_client'
  | 'invalid_grant'
  | 'unauthorized_client'
  | 'unsupported_grant_type'
  | 'invalid_scope'
  | 'access_denied';

/**
 * The documented behaviour of an identity provider towards its clients. `docs/how-to/identity-providers` lists the
 * sources and when they were read. None of it has been tested at the provider.
 */
export interface Personality {
  readonly title: string;
  readonly issuer: {
    /** Default path of the issuer, exactly as in the issuer: with or without a slash at its end */
    readonly defaultPath: string;
    readonly paths: RegExp;
    /** Description of the form, for people */
    readonly form: string;
  };
  readonly endpoints: (issuerPath: string) => Endpoints;
  /** Documents besides `{issuer}/.well-known/openid-configuration`: paths from the root of the origin */
  readonly furtherMetadata: (issuerPath: string) => readonly string[];
  readonly metadata: Members;
  /** The claim that names the organization, for `ORGANIZATION_CLAIM` */
  readonly organizationClaim: string;
  /**
   * Returns the claims of an ID token in addition to `iss`, `aud`, `sub`, `iat`, `exp` and those of the session, such
   * as `nonce`
   */
  readonly idToken: (user: SignedIn) => Members;
  /** Undefined if the provider's access tokens are only for the provider itself */
  readonly accessToken: ((token: StandardAccessToken) => AccessToken) | undefined;
  /** Response to a token exchange that requests an ID-JAG; undefined if the provider issues ID-JAGs */
  readonly refusal: Answer | undefined;
  /** True if the documentation says that ID-JAGs name the organization */
  readonly idJagNamesOrganization: boolean;
  /** True if a user's `sub` is different for each client (OpenID Connect Core §8.1) */
  readonly isPairwise: boolean;
  /** True if the scope `offline_access` yields a refresh token */
  readonly hasOfflineAccess: boolean;
  /** Responses that differ from RFC 6749 §5.2 */
  readonly errors: Readonly<Partial<Record<ErrorCode, Answer>>>;
  /** Settings that the services need with this provider */
  readonly settings: {
    readonly hub: Readonly<Record<string, string>>;
    readonly managementApi: Readonly<Record<string, string>>;
  };
}

export const TOKEN_EXCHANGE = 'urn:ietf:params:oauth:grant-type:token-exchange';

/** Metadata of a provider that, according to its documentation, does not list ID-JAGs. */
export const LISTS_NO_ID_JAGS: Members = { identity_chaining_requested_token_types_supported: undefined };

/** Removes members without a value: for example, a user without an organization has no claim for it. */
export const present = (members: Members): Members =>
  Object.fromEntries(Object.entries(members).filter(([, value]) => value !== undefined));

/** Renames the organization claim to the provider's name for it. */
export function renameOrganization(claims: Members, organizationClaim: string): Members {
  const { organization_id: organization, ...others } = claims;
  return present({ ...others, [organizationClaim]: organization });
}
