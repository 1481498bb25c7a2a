import { LISTS_NO_ID_JAGS, type Personality, present, TOKEN_EXCHANGE } from './personality.ts';

const BAD_CLIENT = {
  status: 401,
  body: {
    error: 'unauthorized_client',
    error_description: 'Invalid client or Invalid client credentials',
  },
};

export const keycloak: Personality = {
  title: 'Keycloak',
  issuer: {
    defaultPath: '/realms/legate',
    paths: /^\/realms\/[A-Za-z0-9._-]+$/,
    form: '/realms/ and the name of a realm',
  },
  endpoints: (issuerPath) => {
    const base = `${issuerPath}/protocol/openid-connect`;
    return {
      authorization: `${base}/auth`,
      token: `${base}/token`,
      jwks: `${base}/certs`,
      userinfo: `${base}/userinfo`,
      endSession: `${base}/logout`,
      revocation: `${base}/revoke`,
    };
  },
  furtherMetadata: (issuerPath) => [`/.well-known/oauth-authorization-server${issuerPath}`],
  metadata: {
    ...LISTS_NO_ID_JAGS,
    grant_types_supported: ['authorization_code', 'refresh_token', 'client_credentials', TOKEN_EXCHANGE],
  },
  organizationClaim: 'organization_id',
  idToken: (user) =>
    present({
      organization_id: user.organizationId, // added by a mapper
      azp: user.clientId,
      typ: 'ID',
      realm_access: { roles: [] },
      name: user.name,
      preferred_username: user.email,
      email: user.email,
      email_verified: user.emailVerified,
    }),
  accessToken: ({ claims, userId }) => {
    const { client_id: clientId, ...others } = claims;
    return {
      typ: 'JWT',
      claims:
        userId === undefined
          ? {
              ...others,
              typ: 'Bearer',
              azp: clientId,
              client_id: clientId,
              preferred_username: `service-account-${clientId}`,
            }
          : { ...others, typ: 'Bearer', azp: clientId },
    };
  },
  refusal: {
    status: 400,
    body: {
      error: 'invalid_request',
      error_description: "Parameter 'subject_token' supports access tokens only",
    },
  },
  idJagNamesOrganization: false,
  isPairwise: false,
  hasOfflineAccess: true,
  errors: {
    invalid_client: BAD_CLIENT,
    invalid_grant: {
      status: 400,
      body: { error: 'invalid_grant', error_description: 'Token is not active' },
    },
    unsupported_grant_type: {
      status: 400,
      body: { error: 'unsupported_grant_type', error_description: 'Unsupported grant_type' },
    },
  },
  settings: { hub: {}, managementApi: { ACCESS_TOKEN_TYPES: 'JWT' } },
};
