import { KINDS } from '@legate/identity-providers';
import { readRecording } from '@legate/identity-providers/recorded';
import { ID_JAGS } from './own.ts';
import { type Endpoints, LISTS_NO_ID_JAGS, type Personality, TOKEN_EXCHANGE } from './personality.ts';

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

const recorded = (name: string) => readRecording('okta', name).response;

export const okta: Personality = {
  kind: KINDS.okta,
  sources: [
    { url: 'https://developer.okta.com/docs/concepts/xaa/', read: '2026-11-25' },
    { url: 'https://developer.okta.com/docs/api/openapi/okta-oauth/oauth/orgas', read: '2026-11-25' },
    { url: 'https://developer.okta.com/docs/guides/build-self-signed-jwt/-/main/', read: '2026-11-25' },
    {
      url: 'https://auth0.com/docs/secure/call-apis-on-users-behalf/xaa/end-to-end-testing',
      read: '2026-11-29',
    },
  ],
  issuer: {
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
  idToken: (user) => ({
    ver: 1,
    jti: `ID.${user.tokenId}`,
    amr: ['pwd'],
    idp: '00o1',
    name: user.name,
    email: user.email,
    email_verified: user.emailVerified,
    preferred_username: user.email,
  }),
  idTokensNameOrganization: false,
  /**
   * An access token as a custom authorization server issues it: tokens of the org authorization server are only for
   * Okta itself. `sub` is the login there.
   */
  accessToken: ({ claims: { client_id: cid, scope, sub, ...others } }) => ({
    ...others,
    sub: others.email ?? sub,
    ver: 1,
    cid,
    scp: scope.split(' '),
  }),
  hasOfflineAccess: true,
  assertions: { audiences: [KINDS.okta.assertionAudience], keyHeader: 'kid' },
  idJags: (issuerPath) =>
    issuerPath === ''
      ? {
          ...ID_JAGS,
          subjects: [KINDS.okta.idJagSubject],
          organizationClaims: [],
          // The guide shows Bearer, the draft says N_A.
          tokenTypes: ['N_A', 'Bearer'],
          answersResource: false,
          answersScope: 'never',
          unconnected: 'unauthorized_client',
          scopeNotPermitted: recorded('scope-not-permitted'),
        }
      : recorded('custom-server'),
  accessTokens: undefined,
  exchangeOff: undefined,
  errors: {
    invalid_client: recorded('client-refused'),
    unknown_key: recorded('key-unknown'),
    invalid_grant: recorded('refresh-token-expired'),
    access_denied: recorded('policy-denied'),
    unauthorized_client: recorded('not-connected'),
  },
};
