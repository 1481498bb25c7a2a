import { KINDS } from '@legate/identity-providers';
import { readRecording } from '@legate/identity-providers/recorded';
import { issuerPathOf, LISTS_NO_ID_JAGS, type Personality } from './personality.ts';

const recorded = (name: string) => readRecording('entra', name).response;

export const entra: Personality = {
  kind: KINDS.entra,
  sources: [
    {
      url: 'https://learn.microsoft.com/entra/identity-platform/id-token-claims-reference',
      read: '2026-11-25',
    },
    {
      url: 'https://learn.microsoft.com/en-au/entra/identity-platform/certificate-credentials',
      read: '2026-11-25',
    },
    {
      url: 'https://learn.microsoft.com/en-nz/entra/identity-platform/reference-error-codes',
      read: '2026-11-25',
    },
    {
      url: 'https://learn.microsoft.com/entra/identity-platform/v2-oauth2-on-behalf-of-flow',
      read: '2026-11-29',
    },
  ],
  issuer: {
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
  /** `roles` are the app roles that are assigned to the user. */
  idToken: (user) => ({
    ver: '2.0',
    name: user.name,
    preferred_username: user.email,
    roles: user.role && [user.role],
  }),
  idTokensNameOrganization: true,
  tenantOf: (issuer) => issuerPathOf(issuer).split('/')[1],
  accessToken: ({ claims: { client_id: azp, scope, ...others }, userId }) => ({
    ...others,
    azp,
    ver: '2.0',
    scp: scope,
    ...(userId === undefined && { oid: others.sub, idtyp: 'app' }),
  }),
  assertions: { audiences: [KINDS.entra.assertionAudience], keyHeader: 'x5t#S256' },
  idJags: () => recorded('exchange-unknown'),
  accessTokens: {
    refusals: {
      no_access_token: recorded('id-token-as-assertion'),
      other_client: recorded('assertion-for-another'),
      unknown_audience: recorded('scope-invalid'),
      not_allowed: recorded('consent-required'),
      no_scope: recorded('scope-invalid'),
      step_up: recorded('mfa-required'),
    },
    audienceIsClient: false,
    // `aud` of an access token of version 2 is the client id of the API, of which the Application ID URI is made.
    clientPrefix: 'api://',
    namesActors: false,
    answer: ({ audience, scope }) => ({
      scope: scope
        .split(' ')
        .map((each) => `${audience}/${each}`)
        .join(' '),
      ext_expires_in: 0,
    }),
  },
  exchangeOff: undefined,
  hasOfflineAccess: true,
  errors: {
    wrong_secret: recorded('secret-wrong'),
    unknown_key: recorded('certificate-unknown'),
    invalid_grant: recorded('refresh-token-expired'),
    unsupported_grant_type: recorded('exchange-unknown'),
    invalid_scope: recorded('scope-invalid'),
    invalid_request: recorded('parameter-missing'),
  },
};
