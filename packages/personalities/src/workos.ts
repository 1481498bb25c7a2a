import { LISTS_NO_ID_JAGS, type Personality, renameOrganization } from './personality.ts';

const ORGANIZATION = 'org_id';

export const workos: Personality = {
  title: 'WorkOS',
  issuer: { defaultPath: '', paths: /^$/, form: 'no path' },
  endpoints: () => ({
    authorization: '/oauth2/authorize',
    token: '/oauth2/token',
    jwks: '/oauth2/jwks',
    userinfo: '/oauth2/userinfo',
    endSession: undefined,
    revocation: undefined,
  }),
  furtherMetadata: () => ['/.well-known/oauth-authorization-server'],
  metadata: {
    ...LISTS_NO_ID_JAGS,
    grant_types_supported: ['authorization_code', 'refresh_token', 'client_credentials'],
    response_modes_supported: ['query'],
    revocation_endpoint_auth_methods_supported: undefined,
    revocation_endpoint_auth_signing_alg_values_supported: undefined,
    token_endpoint_auth_methods_supported: ['none', 'client_secret_post', 'client_secret_basic'],
  },
  organizationClaim: ORGANIZATION,
  /** Claims as documented for a Connect application: no organization */
  idToken: (user) => ({
    name: user.name,
    given_name: user.name.split(' ')[0],
    email: user.email,
    email_verified: user.emailVerified,
  }),
  /**
   * Access tokens are the only ones that name the organization. Their `typ` is not documented; we use that of RFC 9068.
   */
  accessToken: ({ claims }) => ({ typ: 'at+jwt', claims: renameOrganization(claims, ORGANIZATION) }),
  /** Token exchange is not among the documented grants; the text of the response is our own. */
  refusal: {
    status: 400,
    body: { error: 'unsupported_grant_type', error_description: 'The grant type is not supported.' },
  },
  idJagNamesOrganization: false,
  isPairwise: false,
  hasOfflineAccess: true,
  errors: {},
  settings: {
    hub: { ORGANIZATION_CLAIM: ORGANIZATION },
    managementApi: { ORGANIZATION_CLAIM: ORGANIZATION },
  },
};
