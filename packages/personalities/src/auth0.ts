import {
  LISTS_NO_ID_JAGS,
  type Personality,
  present,
  renameOrganization,
  TOKEN_EXCHANGE,
} from './personality.ts';

const ORGANIZATION = 'org_id';
/** The name of a custom claim has the form of a URL at Auth0. */
const ROLES = 'https://acme.example/roles';

export const auth0: Personality = {
  title: 'Auth0',
  issuer: { defaultPath: '/', paths: /^\/$/, form: 'a slash at its end, and no path' },
  endpoints: () => ({
    authorization: '/authorize',
    token: '/oauth/token',
    jwks: '/.well-known/jwks.json',
    userinfo: '/userinfo',
    endSession: '/oidc/logout',
    revocation: '/oauth/revoke',
  }),
  furtherMetadata: () => [],
  metadata: {
    ...LISTS_NO_ID_JAGS,
    grant_types_supported: undefined,
    token_endpoint_auth_methods_supported: [
      'client_secret_basic',
      'client_secret_post',
      'private_key_jwt',
      'none',
    ],
  },
  organizationClaim: ORGANIZATION,
  idToken: (user) =>
    present({
      [ORGANIZATION]: user.organizationId,
      [ROLES]: user.role && [user.role],
      nickname: user.email.split('@')[0],
      name: user.name,
      email: user.email,
      email_verified: user.emailVerified,
    }),
  accessToken: ({ claims, userId }) => {
    const { client_id: azp, ...others } = claims;
    const machine = { sub: `${azp}@clients`, gty: 'client-credentials' };
    return {
      typ: 'JWT',
      claims: renameOrganization({ ...others, azp, ...(userId === undefined && machine) }, ORGANIZATION),
    };
  },
  refusal: {
    status: 403,
    body: {
      error: 'unauthorized_client',
      error_description: `Grant type '${TOKEN_EXCHANGE}' not allowed for the client.`,
    },
  },
  idJagNamesOrganization: false,
  isPairwise: false,
  hasOfflineAccess: true,
  errors: {
    invalid_client: { status: 401, body: { error: 'access_denied', error_description: 'Unauthorized' } },
    invalid_grant: {
      status: 403,
      body: { error: 'invalid_grant', error_description: 'Unknown or invalid refresh token.' },
    },
    unauthorized_client: {
      status: 403,
      body: { error: 'unauthorized_client', error_description: 'Grant type not allowed for the client.' },
    },
  },
  settings: {
    hub: { ORGANIZATION_CLAIM: ORGANIZATION },
    managementApi: { ORGANIZATION_CLAIM: ORGANIZATION, ACCESS_TOKEN_TYPES: 'JWT' },
  },
};
