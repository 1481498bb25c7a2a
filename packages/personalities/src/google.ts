import { LISTS_NO_ID_JAGS, type Personality, present } from './personality.ts';

const ORGANIZATION = 'hd';

export const google: Personality = {
  title: 'Google',
  issuer: { defaultPath: '', paths: /^$/, form: 'no path' },
  /** Paths of the endpoints. At Google they are on several hosts. */
  endpoints: () => ({
    authorization: '/o/oauth2/v2/auth',
    token: '/token',
    jwks: '/oauth2/v3/certs',
    userinfo: '/v1/userinfo',
    endSession: undefined,
    revocation: '/revoke',
  }),
  furtherMetadata: () => [],
  metadata: {
    ...LISTS_NO_ID_JAGS,
    scopes_supported: ['openid', 'email', 'profile'],
    grant_types_supported: ['authorization_code', 'refresh_token'],
    code_challenge_methods_supported: ['plain', 'S256'],
    token_endpoint_auth_methods_supported: ['client_secret_post', 'client_secret_basic'],
    authorization_response_iss_parameter_supported: undefined,
  },
  organizationClaim: ORGANIZATION,
  /**
   * A Workspace account has the claim `hd`: a domain at Google, and the id of the organization here. Other accounts
   * have no such claim.
   */
  idToken: (user) =>
    present({
      [ORGANIZATION]: user.organizationId,
      azp: user.clientId,
      name: user.name,
      email: user.email,
      email_verified: user.emailVerified,
    }),
  accessToken: undefined,
  refusal: {
    status: 400,
    body: { error: 'unsupported_grant_type', error_description: 'Invalid grant_type' },
  },
  idJagNamesOrganization: false,
  isPairwise: false,
  hasOfflineAccess: false,
  errors: {
    invalid_client: { status: 401, body: { error: 'invalid_client', error_description: 'Unauthorized' } },
    invalid_grant: {
      status: 400,
      body: { error: 'invalid_grant', error_description: 'Token has been expired or revoked.' },
    },
  },
  settings: {
    hub: { ORGANIZATION_CLAIM: ORGANIZATION },
    managementApi: { ORGANIZATION_CLAIM: ORGANIZATION },
  },
};
