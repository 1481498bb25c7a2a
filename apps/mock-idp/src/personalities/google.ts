import { KINDS } from '@legate/identity-providers';
import { readRecording } from '@legate/identity-providers/recorded';
import { LISTS_NO_ID_JAGS, type Personality } from './personality.ts';

const recorded = (name: string) => readRecording('google', name).response;

export const google: Personality = {
  kind: KINDS.google,
  sources: [{ url: 'https://developers.google.com/identity/openid-connect/reference', read: '2026-11-25' }],
  issuer: { paths: /^$/, form: 'no path' },
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
  /**
   * A Workspace account has the claim `hd`: a domain at Google, and the id of the organization here. Other accounts
   * have no such claim.
   */
  idToken: (user) => ({
    azp: user.clientId,
    name: user.name,
    email: user.email,
    email_verified: user.emailVerified,
  }),
  idTokensNameOrganization: true,
  accessToken: undefined,
  assertions: { audiences: [], keyHeader: undefined },
  idJags: () => recorded('exchange-unknown'),
  accessTokens: undefined,
  exchangeOff: undefined,
  hasOfflineAccess: false,
  errors: {
    invalid_client: recorded('client-refused'),
    invalid_grant: recorded('refresh-token-revoked'),
  },
};
