import { KINDS } from '@legate/identity-providers';
import { readRecording } from '@legate/identity-providers/recorded';
import { LISTS_NO_ID_JAGS, type Personality } from './personality.ts';

const recorded = (name: string) => readRecording('workos', name).response;

export const workos: Personality = {
  kind: KINDS.workos,
  sources: [{ url: 'https://workos.com/docs/reference/workos-connect/token', read: '2026-11-25' }],
  issuer: { paths: /^$/, form: 'no path' },
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
  /** Claims as documented for a Connect application: no organization */
  idToken: (user) => ({
    name: user.name,
    given_name: user.name.split(' ')[0],
    email: user.email,
    email_verified: user.emailVerified,
  }),
  idTokensNameOrganization: false,
  /**
   * Access tokens are the only ones that name the organization. Their `typ` is not documented; we use that of RFC 9068.
   */
  accessToken: ({ claims }) => claims,
  /** Token exchange is not among the documented grants. */
  idJags: () => recorded('exchange-unknown'),
  assertions: { audiences: [], keyHeader: undefined },
  accessTokens: undefined,
  exchangeOff: undefined,
  hasOfflineAccess: true,
  errors: {},
};
