import { KINDS } from '@legate/identity-providers';
import { TOKEN_TYPE } from '@legate/oauth';
import type { AccessTokenExchange, IdJagRules, Personality } from './personality.ts';

/** ID-JAGs as the product's specification has them, for ID tokens */
export const ID_JAGS: IdJagRules = {
  subjects: ['id_token'],
  organizationClaims: ['organization_id'],
  tokenTypes: ['N_A'],
  answersResource: true,
  answersScope: 'always',
  acceptsResourceAsAudience: true,
  unconnected: 'access_denied',
};

/** Access tokens as RFC 8693 has their exchange */
export const ACCESS_TOKENS: AccessTokenExchange = {
  refusals: {},
  audienceIsClient: false,
  namesActors: false,
  answer: ({ scope }) => ({ issued_token_type: TOKEN_TYPE.accessToken, scope }),
};

/** The personality of `mock-idp` itself, used when no other provider is configured. */
export const OWN: Personality = {
  kind: { ...KINDS.generic, title: 'mock-idp' },
  sources: [],
  issuer: { paths: /^$/, form: 'no path' },
  endpoints: () => ({
    authorization: '/oauth/authorize',
    token: '/oauth/token',
    jwks: '/.well-known/jwks.json',
    userinfo: '/userinfo',
    endSession: '/oauth/logout',
    revocation: '/oauth/revoke',
  }),
  furtherMetadata: () => ['/.well-known/oauth-authorization-server'],
  metadata: { identity_chaining_requested_token_types_supported: [TOKEN_TYPE.idJag] },
  idToken: ({ email, emailVerified, name, role }) => ({
    email,
    email_verified: emailVerified,
    name,
    ...(role !== undefined && { roles: [role] }),
  }),
  idTokensNameOrganization: true,
  accessToken: ({ claims }) => claims,
  hasOfflineAccess: true,
  // RFC 7523bis requires the issuer as audience; older clients send the token endpoint.
  assertions: { audiences: ['issuer', 'token_endpoint'], keyHeader: undefined },
  idJags: () => ID_JAGS,
  accessTokens: ACCESS_TOKENS,
  exchangeOff: undefined,
  errors: {},
};
