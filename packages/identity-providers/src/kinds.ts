/** The tokens of a sign-in that an identity provider may exchange (RFC 8693 §3) */
export const SUBJECT_TOKEN_TYPES = ['id_token', 'access_token', 'refresh_token'] as const;
export type SubjectTokenType = (typeof SUBJECT_TOKEN_TYPES)[number];

/** How one kind of identity provider differs from the others, by its documents. */
export interface ProviderKind {
  readonly title: string;
  /** An issuer as this kind writes it, exact in path and slash; undefined: of any form */
  readonly exampleIssuer: string | undefined;
  /** The token that it exchanges for an ID-JAG; undefined: it issues no ID-JAGs */
  readonly idJagSubject: SubjectTokenType | undefined;
  /**
   * How it exchanges a user's access token for one of another audience: by RFC 8693, or by the `jwt-bearer` grant with
   * `requested_token_use=on_behalf_of`; undefined: not at all
   */
  readonly exchange: 'token-exchange' | 'on-behalf-of' | undefined;
  /** The `aud` that it expects in a client's assertion (RFC 7523 §3) */
  readonly assertionAudience: 'issuer' | 'token_endpoint';
  /** The algorithms with which it accepts a client's assertion, the usual one first; empty: it accepts no assertions */
  readonly assertionAlgorithms: readonly string[];
  /** How it finds the key of an assertion: by `kid`, or by the thumbprint of the key's certificate (RFC 7515 §4.1.8) */
  readonly findsKeysBy: 'kid' | 'certificate';
  /** True if `resource` is sent when an ID-JAG is requested */
  readonly sendsResource: boolean;
  /** The claim that names the user in ID tokens */
  readonly userClaim: 'sub' | 'oid';
  /** The claim that names the same user in access tokens */
  readonly accessTokenUserClaim: 'sub' | 'oid' | 'uid';
  /** `typ` of its access tokens; `absent`: they have none */
  readonly accessTokenTypes: readonly ('at+jwt' | 'JWT' | 'absent')[];
  /** True if its issuer gives access tokens for APIs of others, such as the management API */
  readonly issuesApiTokens: boolean;
  /** The claim that names the organization, if the operator sets no rule; undefined: a rule is needed */
  readonly organizationClaim: string | undefined;
  /** Scope of a sign-in whose access token the hub may exchange; `{client_id}` stands for the hub's client */
  readonly subjectScope: string | undefined;
}

/** What the standards say, and what `mock-idp` does. */
const STANDARD = {
  exampleIssuer: undefined,
  idJagSubject: 'id_token',
  exchange: 'token-exchange',
  assertionAudience: 'issuer',
  assertionAlgorithms: ['RS256', 'PS256', 'ES256', 'Ed25519'],
  findsKeysBy: 'kid',
  sendsResource: true,
  userClaim: 'sub',
  accessTokenUserClaim: 'sub',
  accessTokenTypes: ['at+jwt'],
  issuesApiTokens: true,
  organizationClaim: 'organization_id',
  subjectScope: undefined,
} as const satisfies Omit<ProviderKind, 'title'>;

/** Providers that issue ID-JAGs by their documents, and differ in nothing else that we have read */
const ISSUES_ID_JAGS = { ...STANDARD, exchange: undefined, assertionAlgorithms: ['RS256'] } as const;

const ISSUES_NO_ID_JAGS = { ...STANDARD, idJagSubject: undefined, sendsResource: false } as const;

export const KINDS = {
  generic: { ...STANDARD, title: 'Any other provider' },
  okta: {
    ...STANDARD,
    title: 'Okta',
    exampleIssuer: 'https://acme.okta.com',
    exchange: undefined,
    assertionAudience: 'token_endpoint',
    assertionAlgorithms: ['RS256', 'ES256'],
    accessTokenUserClaim: 'uid',
    accessTokenTypes: ['absent'],
    issuesApiTokens: false,
    organizationClaim: undefined,
  },
  pingfederate: {
    ...STANDARD,
    title: 'PingFederate',
    exampleIssuer: 'https://sso.example',
    idJagSubject: 'refresh_token',
    assertionAlgorithms: ['RS256'],
  },
  oracle: { ...ISSUES_ID_JAGS, title: 'Oracle identity domains' },
  janssen: { ...ISSUES_ID_JAGS, title: 'Janssen Server' },
  gravitee: { ...ISSUES_ID_JAGS, title: 'Gravitee Access Management' },
  keycloak: {
    ...ISSUES_NO_ID_JAGS,
    title: 'Keycloak',
    exampleIssuer: 'https://sso.example/realms/acme',
    assertionAlgorithms: ['RS256'],
    accessTokenTypes: ['JWT'],
  },
  auth0: {
    ...ISSUES_NO_ID_JAGS,
    title: 'Auth0',
    exampleIssuer: 'https://acme.eu.auth0.com/',
    assertionAlgorithms: ['RS256'],
    accessTokenTypes: ['JWT'],
    organizationClaim: 'org_id',
  },
  entra: {
    ...ISSUES_NO_ID_JAGS,
    title: 'Microsoft Entra ID',
    exampleIssuer: 'https://login.microsoftonline.com/8eaef023-2b34-4da1-9baa-8bc8c9d6a490/v2.0',
    exchange: 'on-behalf-of',
    assertionAudience: 'token_endpoint',
    assertionAlgorithms: ['PS256'],
    findsKeysBy: 'certificate',
    userClaim: 'oid',
    accessTokenUserClaim: 'oid',
    accessTokenTypes: ['JWT'],
    organizationClaim: 'tid',
    subjectScope: 'api://{client_id}/access_as_user',
  },
  google: {
    ...ISSUES_NO_ID_JAGS,
    title: 'Google',
    exampleIssuer: 'https://accounts.google.com',
    exchange: undefined,
    assertionAlgorithms: [],
    issuesApiTokens: false,
    organizationClaim: 'hd',
  },
  workos: {
    ...ISSUES_NO_ID_JAGS,
    title: 'WorkOS',
    exampleIssuer: 'https://acme.authkit.app',
    exchange: undefined,
    assertionAlgorithms: [],
    issuesApiTokens: false,
    organizationClaim: 'org_id',
  },
} as const satisfies Record<string, ProviderKind>;
export type KindName = keyof typeof KINDS;

export const KIND_NAMES = Object.keys(KINDS).filter((name): name is KindName => name in KINDS);

export const findKind = (name: KindName): ProviderKind => KINDS[name];
