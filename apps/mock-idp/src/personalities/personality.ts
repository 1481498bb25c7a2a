import type { ProviderKind, SubjectTokenType } from '@legate/identity-providers';
import { GRANT_TYPE } from '@legate/oauth';

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
  readonly issuer: string;
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
  readonly claims: Members & {
    readonly iss: string;
    readonly sub: string;
    readonly client_id: string;
    readonly scope: string;
  };
  /** Undefined for a token without a user */
  readonly userId: string | undefined;
}

/** The faults at a token endpoint for which providers document their own response: by error code, or more exactly */
export type Fault =
  | CredentialFault
  | 'invalid_request'
  | 'invalid_client'
  | 'invalid_grant'
  | 'unauthorized_client'
  | 'unsupported_grant_type'
  | 'invalid_scope'
  | 'access_denied';

/** Cases of `invalid_client` */
export type CredentialFault =
  | 'wrong_secret'
  /** The key of an assertion is not one that is registered */
  | 'unknown_key'
  /** An assertion is for another audience */
  | 'wrong_audience';

/** The refusals of a client's assertion (RFC 7523 §3), besides those for an unknown algorithm of its kind */
export interface AssertionRules {
  readonly audiences: readonly ProviderKind['assertionAudience'][];
  /** Header parameter that must name the key, by its member of the same name; undefined: any registered key may sign */
  readonly keyHeader: 'kid' | 'x5t#S256' | undefined;
}

/** How tokens of a sign-in are exchanged for ID-JAGs */
export interface IdJagRules {
  /** Subject tokens that every client may exchange; others only if they are registered for the client */
  readonly subjects: readonly SubjectTokenType[];
  /** Claims of ID-JAGs that name the organization */
  readonly organizationClaims: readonly string[];
  /** `token_type` of answers, in turn */
  readonly tokenTypes: readonly string[];
  readonly answersResource: boolean;
  /** `if_narrowed`: the answer has the scope only if it differs from the requested one (RFC 6749 §5.1) */
  readonly answersScope: 'always' | 'if_narrowed' | 'never';
  /** True if `audience` may also be the identifier of the resource, and not only the issuer that protects it */
  readonly acceptsResourceAsAudience: boolean;
  /** Refusal of a client that is not connected to the tool server */
  readonly unconnected: 'access_denied' | 'unauthorized_client';
  /** Response if the connection does not permit a requested scope; undefined: the ID-JAG has the permitted ones */
  readonly scopeNotPermitted?: Answer;
}

/** Why a user's access token is not exchanged */
export type ExchangeRefusal =
  | 'no_access_token'
  | 'other_client'
  | 'unknown_audience'
  | 'not_allowed'
  | 'no_scope'
  /** Some requested scopes are not the client's; without an answer of their own they are left out */
  | 'scope_not_permitted'
  /** The audience demands a stronger sign-in */
  | 'step_up';

export interface RefusedRequest {
  readonly audience: string;
  readonly scopes: readonly string[];
}

/** How a user's access token is exchanged for one of another audience */
export interface AccessTokenExchange {
  /** Responses that differ from the standards */
  readonly refusals: Readonly<
    Partial<Record<ExchangeRefusal, Answer | ((request: RefusedRequest) => Answer)>>
  >;
  /** True if the audience must be the id of a client */
  readonly audienceIsClient: boolean;
  /** Audiences may have this in front of the id of a client, which alone is then `aud`. Default: nothing */
  readonly clientPrefix?: string;
  /** True if tokens have the chain of clients (`act`, RFC 8693 §4.1) */
  readonly namesActors: boolean;
  /** Members of the answer besides the token, its type and lifetime */
  readonly answer: (issued: { audience: string; scope: string; isNarrowed: boolean }) => Members;
}

/**
 * The documented behaviour of an identity provider towards its clients, beside what its kind says: only an imitation
 * needs this. None of it has been tested at the provider.
 */
export interface Personality {
  readonly kind: ProviderKind;
  /** The documents from which it was made, and when they were read */
  readonly sources: readonly { readonly url: string; readonly read: string }[];
  readonly issuer: {
    readonly paths: RegExp;
    /** Description of the form, for people */
    readonly form: string;
  };
  readonly endpoints: (issuerPath: string) => Endpoints;
  /** Documents besides `{issuer}/.well-known/openid-configuration`: paths from the root of the origin */
  readonly furtherMetadata: (issuerPath: string) => readonly string[];
  readonly metadata: Members;
  /**
   * Returns the claims of an ID token in addition to `iss`, `aud`, `sub`, `iat`, `exp`, those of the session, such as
   * `nonce`, and the user and the organization in the claims of the kind
   */
  readonly idToken: (user: SignedIn) => Members;
  /** False: only access tokens name the organization */
  readonly idTokensNameOrganization: boolean;
  /**
   * Returns the tenant of an issuer, which all of its tokens name in the place of an organization. Default: they name
   * the organization of the user
   */
  readonly tenantOf?: (issuer: string) => string | undefined;
  /**
   * Returns the claims of an access token in addition to those of the kind; undefined if the provider's access tokens
   * are only for the provider itself
   */
  readonly accessToken: ((token: StandardAccessToken) => Members) | undefined;
  /** True if the scope `offline_access` yields a refresh token */
  readonly hasOfflineAccess: boolean;
  readonly assertions: AssertionRules;
  /** The response to a token exchange that requests an ID-JAG, or the rules by which ID-JAGs are issued */
  readonly idJags: (issuerPath: string) => IdJagRules | Answer;
  /** Undefined: it exchanges no access tokens */
  readonly accessTokens: AccessTokenExchange | undefined;
  /** Response to a client for which token exchange is not switched on; undefined: `unauthorized_client` */
  readonly exchangeOff: Answer | undefined;
  /** Responses that differ from RFC 6749 §5.2 */
  readonly errors: Readonly<Partial<Record<Fault, Answer>>>;
}

export const TOKEN_EXCHANGE = GRANT_TYPE.tokenExchange;

/** Metadata of a provider that, according to its documentation, does not list ID-JAGs. */
export const LISTS_NO_ID_JAGS: Members = { identity_chaining_requested_token_types_supported: undefined };

/** Removes members without a value: for example, a user without an organization has no claim for it. */
export const present = (members: Members): Members =>
  Object.fromEntries(Object.entries(members).filter(([, value]) => value !== undefined));

export const isAnswer = (rules: IdJagRules | Answer): rules is Answer => 'status' in rules;

/** The path of the example of a kind: its issuers have no other form here. */
export const examplePathOf = ({ exampleIssuer }: ProviderKind): string =>
  exampleIssuer === undefined ? '' : issuerPathOf(exampleIssuer);

/** Returns the path of an issuer, unchanged: `https://a.example` has none, and `https://a.example/` has `/`. */
export const issuerPathOf = (issuer: string): string => issuer.slice(new URL(issuer).origin.length);
