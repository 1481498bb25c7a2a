import { TOKEN_TYPE } from '@legate/oauth';
import type { Personality } from '@legate/personalities';

/** The personality of `mock-idp` itself, used when no other provider is configured. */
export const OWN: Personality = {
  title: 'mock-idp',
  issuer: { defaultPath: '', paths: /^$/, form: 'no path' },
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
  organizationClaim: 'organization_id',
  idToken: ({ email, emailVerified, name, organizationId, role }) => ({
    email,
    email_verified: emailVerified,
    name,
    ...(organizationId !== undefined && { organization_id: organizationId }),
    ...(role !== undefined && { roles: [role] }),
  }),
  accessToken: ({ claims }) => ({ typ: 'at+jwt', claims }),
  refusal: undefined,
  idJagNamesOrganization: true,
  isPairwise: false,
  hasOfflineAccess: true,
  errors: {},
  settings: { hub: {}, managementApi: {} },
};
