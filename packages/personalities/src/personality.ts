/** Members of a JSON document. In metadata, `undefined` removes a member. */
export type Members = Readonly<Record<string, unknown>>;

/** An answer of a token endpoint */
export interface Answer {
  readonly status: number;
  readonly body: Members;
}

/** Paths from the root of the origin; undefined where the provider has no such endpoint */
export interface Endpoints {
  readonly authorization: string;
  readonly token: string;
  readonly jwks: string;
  readonly userinfo: string;
  readonly endSession: string | undefined;
  readonly revocation: string | undefined;
}

/** A user at a client, as far as tokens describe them */
export interface SignedIn {
  readonly userId: string;
  readonly email: string;
  readonly emailVerified: boolean;
  readonly name: string;
  readonly organizationId: string | undefined;
  readonly role: string | undefined;
  readonly clientId: string;
  /** Differs from token to token */
  readonly tokenId: string;
}

/** An access token as RFC 9068 has it, before the provider gives it its form */
export interface StandardAccessToken {
  readonly claims: Members & { readonly sub: string; readonly client_id: string; readonly scope: string };
  /** Undefined for a machine */
  readonly userId: string | undefined;
}

export interface AccessToken {
  /** Header parameter; undefined: there is none */
  readonly typ: string | undefined;
  readonly claims: Members;
}

/** The error codes of a token endpoint for which providers document an answer of their own */
export type ErrorCode =
  | 'invalid_request'
  | 'invalid_client'
  | 'invalid_grant'
  | 'unauthorized_client'
  | 'unsupported_grant_type'
  | 'invalid_scope'
  | 'access_denied';

/**
 * What an identity provider documents, as far as its clients see it. `docs/how-to/identity-providers` has the sources,
 * and when they were read. None of it has been tried at the provider.
 */
export interface Personality {
  readonly title: string;
  readonly issuer: {
    /** Path of the issuer where none is configured, as it is written: with or without a slash at its end */
    readonly defaultPath: string;
    readonly paths: RegExp;
    /** The form in words, for people */
    readonly form: string;
  };
  readonly endpoints: (issuerPath: string) => Endpoints;
  /** Documents besides `{issuer}/.well-known/openid-configuration`: paths from the root of the origin */
  readonly furtherMetadata: (issuerPath: string) => readonly string[];
  readonly metadata: Members;
  /** The claim that names the organization, for `ORGANIZATION_CLAIM` */
  readonly organizationClaim: string;
  /** Claims of an ID token besides `iss`, `aud`, `sub`, `iat`, `exp` and those of the session, such as `nonce` */
  readonly idToken: (user: SignedIn) => Members;
  /** Undefined: its access tokens are for the provider alone */
  readonly accessToken: ((token: StandardAccessToken) => AccessToken) | undefined;
  /** Answer to a token exchange that asks for an ID-JAG; undefined: the provider issues them */
  readonly refusal: Answer | undefined;
  /** True where documents say that ID-JAGs name the organization */
  readonly idJagNamesOrganization: boolean;
  /** True where `sub` of a user differs from client to client (OpenID Connect Core §8.1) */
  readonly isPairwise: boolean;
  /** True where the scope `offline_access` yields a refresh token */
  readonly hasOfflineAccess: boolean;
  /** Answers that differ from RFC 6749 §5.2 */
  readonly errors: Readonly<Partial<Record<ErrorCode, Answer>>>;
  /** Settings that the services need with this provider */
  readonly settings: {
    readonly hub: Readonly<Record<string, string>>;
    readonly managementApi: Readonly<Record<string, string>>;
  };
}

export const TOKEN_EXCHANGE = 'urn:ietf:params:oauth:grant-type:token-exchange';

/** No document says that a provider's metadata lists ID-JAGs. */
export const LISTS_NO_ID_JAGS: Members = { identity_chaining_requested_token_types_supported: undefined };

/** Members with a value: a user without an organization has no claim for it. */
export const present = (members: Members): Members =>
  Object.fromEntries(Object.entries(members).filter(([, value]) => value !== undefined));

/** The organization under the provider's name for it. */
export function renameOrganization(claims: Members, organizationClaim: string): Members {
  const { organization_id: organization, ...others } = claims;
  return present({ ...others, [organizationClaim]: organization });
}
