import { KINDS } from '@legate/identity-providers';
import { readRecording } from '@legate/identity-providers/recorded';
import { TOKEN_TYPE } from '@legate/oauth';
import { LISTS_NO_ID_JAGS, type Personality, present } from './personality.ts';

const recorded = (name: string) => readRecording('auth0', name).response;

/** The name of a custom claim has the form of a URL at Auth0. */
const ROLES = 'https://acme.example/roles';

export const auth0: Personality = {
  kind: KINDS.auth0,
  sources: [
    { url: 'https://auth0.com/docs/api/authentication/cross-app-access/get-token', read: '2026-11-24' },
    {
      url: 'https://auth0.com/docs/secure/call-apis-on-users-behalf/on-behalf-of-token-exchange',
      read: '2026-11-29',
    },
  ],
  issuer: { paths: /^\/$/, form: 'a slash at its end, and no path' },
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
  idToken: (user) =>
    present({
      [ROLES]: user.role && [user.role],
      nickname: user.email.split('@')[0],
      name: user.name,
      email: user.email,
      email_verified: user.emailVerified,
    }),
  idTokensNameOrganization: true,
  accessToken: ({ claims: { client_id: azp, ...others }, userId }) => ({
    ...others,
    azp,
    ...(userId === undefined && { sub: `${azp}@clients`, gty: 'client-credentials' }),
  }),
  assertions: { audiences: [KINDS.auth0.assertionAudience], keyHeader: undefined },
  idJags: () => recorded('exchange-not-allowed'),
  accessTokens: {
    refusals: { not_allowed: recorded('client-not-linked') },
    audienceIsClient: false,
    namesActors: true,
    answer: ({ scope, isNarrowed }) => ({
      issued_token_type: TOKEN_TYPE.accessToken,
      ...(isNarrowed && { scope }),
    }),
  },
  exchangeOff: undefined,
  hasOfflineAccess: true,
  errors: {
    invalid_client: recorded('client-refused'),
    invalid_grant: recorded('refresh-token-unknown'),
    unauthorized_client: recorded('client-not-linked'),
  },
};
