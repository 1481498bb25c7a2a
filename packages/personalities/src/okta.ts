import {
  type Endpoints,
  LISTS_NO_ID_JAGS,
  type Personality,
  present,
  renameOrganization,
  TOKEN_EXCHANGE,
} from './personality.ts';

/** Endpoints of the org authorization server are below `/oauth2`, those of a custom one below its issuer. */
function endpoints(issuerPath: string): Endpoints {
  const base = issuerPath === '' ? '/oauth2' : issuerPath;
  return {
    authorization: `${base}/v1/authorize`,
    token: `${base}/v1/token`,
    jwks: `${base}/v1/keys`,
    userinfo: `${base}/v1/userinfo`,
    endSession: `${base}/v1/logout`,
    revocation: `${base}/v1/revoke`,
  };
}

/** An administrator has to add the claim for the organization; its name is our choice. */
const ORGANIZATION = 'org';

export const okta: Personality = {
  title: 'Okta',
  issuer: {
    defaultPath: '',
    paths: /^(\/oauth2\/[A-Za-z0-9]+)?$/,
    form: 'no path (the org authorization server, which issues ID-JAGs), or /oauth2/default',
  },
  endpoints,
  furtherMetadata: (issuerPath) => [`${issuerPath}/.well-known/oauth-authorization-server`],
  metadata: {
    ...LISTS_NO_ID_JAGS,
    grant_types_supported: ['authorization_code', 'refresh_token', 'client_credentials', TOKEN_EXCHANGE],
    scopes_supported: ['openid', 'email', 'profile', 'address', 'phone', 'offline_access', 'groups'],
    token_endpoint_auth_methods_supported: [
      'client_secret_basic',
      'client_secret_post',
      'client_secret_jwt',
      'private_key_jwt',
      'none',
    ],
  },
  organizationClaim: ORGANIZATION,
  idToken: (user) =>
    present({
      [ORGANIZATION]: user.organizationId,
      ver: 1,
      jti: `ID.${user.tokenId}`,
      amr: ['pwd'],
      idp: '00o1',
      name: user.name,
      email: user.email,
      email_verified: user.emailVerified,
      preferred_username: user.email,
    }),
  /**
   * An access token as a custom authorization server issues it: tokens of the org authorization server are only for
   * Okta itself.
   */
  accessToken: ({ claims, userId }) => {
    const { client_id: cid, scope, ...others } = claims;
    return {
      typ: undefined,
      claims: renameOrganization(
        { ...others, ver: 1, cid, uid: userId, scp: scope.split(' ') },
        ORGANIZATION,
      ),
    };
  },
  refusal: undefined,
  idJagNamesOrganization: false,
  isPairwise: false,
  hasOfflineAccess: true,
  errors: {
    invalid_client: {
      status: 401,
      body: {
        error: 'invalid_client',
        error_description:
          'Client authentication failed. Either the client or the client credentials are invalid.',
      },
    },
    invalid_grant: {
      status: 400,
      body: { error: 'invalid_grant', error_description: 'The refresh token is invalid or expired.' },
    },
    access_denied: {
      status: 400,
      body: {
        error: 'access_denied',
        error_description:
          'Policy evaluation failed for this request, please check the policy configurations.',
      },
    },
  },
  settings: {
    hub: { ORGANIZATION_CLAIM: ORGANIZATION, ID_JAG_ORGANIZATION: 'optional' },
    managementApi: { ORGANIZATION_CLAIM: ORGANIZATION, ACCESS_TOKEN_TYPES: 'absent' },
  },
};
