import {
  type Answer,
  LISTS_NO_ID_JAGS,
  type Personality,
  present,
  renameOrganization,
} from './personality.ts';

/**
 * Placeholder for the ids in an error body. At Entra ID, the ids and times differ with each response, and nothing reads
 * them.
 */
const NO_ID = '00000000-0000-0000-0000-000000000000';
const answer = (status: number, error: string, number: number, text: string): Answer => ({
  status,
  body: {
    error,
    error_description: `AADSTS${number}: ${text} Trace ID: ${NO_ID} Correlation ID: ${NO_ID}`,
    error_codes: [number],
    trace_id: NO_ID,
    correlation_id: NO_ID,
    error_uri: `https://login.microsoftonline.com/error?code=${number}`,
  },
});

const ORGANIZATION = 'tid';

export const entra: Personality = {
  title: 'Entra ID',
  issuer: {
    defaultPath: '/legate-tenant/v2.0',
    paths: /^\/[A-Za-z0-9-]+\/v2\.0$/,
    form: '/{tenant}/v2.0',
  },
  /** The endpoints replace the issuer's last segment instead of being below it */
  endpoints: (issuerPath) => {
    const tenant = issuerPath.slice(0, -'/v2.0'.length);
    return {
      authorization: `${tenant}/oauth2/v2.0/authorize`,
      token: `${tenant}/oauth2/v2.0/token`,
      jwks: `${tenant}/discovery/v2.0/keys`,
      userinfo: '/oidc/userinfo',
      endSession: `${tenant}/oauth2/v2.0/logout`,
      revocation: undefined,
    };
  },
  furtherMetadata: () => [],
  metadata: {
    ...LISTS_NO_ID_JAGS,
    subject_types_supported: ['pairwise'],
    grant_types_supported: undefined,
    code_challenge_methods_supported: undefined,
    revocation_endpoint: undefined,
    revocation_endpoint_auth_methods_supported: undefined,
    revocation_endpoint_auth_signing_alg_values_supported: undefined,
    authorization_response_iss_parameter_supported: undefined,
    scopes_supported: ['openid', 'profile', 'email', 'offline_access'],
    token_endpoint_auth_methods_supported: ['client_secret_post', 'private_key_jwt', 'client_secret_basic'],
  },
  organizationClaim: ORGANIZATION,
  idToken: (user) =>
    present({
      [ORGANIZATION]: user.organizationId,
      oid: user.userId,
      ver: '2.0',
      name: user.name,
      preferred_username: user.email,
    }),
  accessToken: ({ claims, userId }) => {
    const { client_id: azp, scope, ...others } = claims;
    const renamed = renameOrganization(others, ORGANIZATION);
    return {
      typ: 'JWT',
      claims:
        userId === undefined
          ? { ...renamed, azp, ver: '2.0', oid: others.sub, idtyp: 'app', scp: scope }
          : { ...renamed, azp, ver: '2.0', oid: userId, scp: scope },
    };
  },
  refusal: answer(400, 'unsupported_grant_type', 70003, 'The app requested an unsupported grant type.'),
  idJagNamesOrganization: false,
  isPairwise: true,
  hasOfflineAccess: true,
  errors: {
    invalid_client: answer(401, 'invalid_client', 7000215, 'Invalid client secret provided.'),
    invalid_grant: answer(
      400,
      'invalid_grant',
      70008,
      'The provided authorization code or refresh token has expired.',
    ),
    unsupported_grant_type: answer(
      400,
      'unsupported_grant_type',
      70003,
      'The app requested an unsupported grant type.',
    ),
    invalid_scope: answer(
      400,
      'invalid_scope',
      70011,
      'The provided value for the input parameter scope is not valid.',
    ),
    invalid_request: answer(
      400,
      'invalid_request',
      900144,
      'The request body must contain a required parameter.',
    ),
  },
  settings: {
    hub: { ORGANIZATION_CLAIM: ORGANIZATION },
    managementApi: { ORGANIZATION_CLAIM: ORGANIZATION, ACCESS_TOKEN_TYPES: 'JWT' },
  },
};
