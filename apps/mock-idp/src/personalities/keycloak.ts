import { randomUUID } from 'node:crypto';
import { KINDS } from '@legate/identity-providers';
import { readRecording } from '@legate/identity-providers/recorded';
import { TOKEN_TYPE } from '@legate/oauth';
import {
  type Answer,
  LISTS_NO_ID_JAGS,
  type Personality,
  type RefusedRequest,
  TOKEN_EXCHANGE,
} from './personality.ts';

const recorded = (name: string) => readRecording('keycloak', name).response;

/** Returns the answer to an assertion, whose code was `unauthorized_client` in older releases. */
const assertionRefused = (error_description: string): Answer => ({
  status: 400,
  body: { error: 'invalid_client', error_description },
});

/** It names all scopes of the request. */
const invalidScopes = ({ scopes }: RefusedRequest): Answer => ({
  status: 400,
  body: { error: 'invalid_scope', error_description: `Invalid scopes: ${scopes.join(' ')}` },
});

function audienceNotAvailable({ audience }: RefusedRequest): Answer {
  const { request, response } = readRecording('keycloak', 'audience-not-available');
  const text = String(response.body.error_description).replace(String(request.audience), () => audience);
  return { ...response, body: { ...response.body, error_description: text } };
}

export const keycloak: Personality = {
  kind: KINDS.keycloak,
  sources: [
    { url: 'https://www.keycloak.org/securing-apps/token-exchange', read: '2026-11-25' },
    {
      url: 'https://github.com/keycloak/keycloak/blob/main/services/src/main/java/org/keycloak/protocol/oidc/tokenexchange/StandardTokenExchangeProvider.java',
      read: '2026-11-29',
    },
    {
      url: 'https://github.com/keycloak/keycloak/blob/09994c361bf7028d08b22d7eacf1295f3af5e7f0/services/src/main/java/org/keycloak/authentication/authenticators/client/JWTClientAuthenticator.java',
      read: '2026-11-29',
    },
    {
      url: 'https://github.com/keycloak/keycloak/blob/1353f6b6a27a6f2f00608564c84f4c3026ac5d08/services/src/main/java/org/keycloak/authentication/authenticators/client/AbstractBaseJWTValidator.java',
      read: '2026-11-29',
    },
  ],
  issuer: {
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
  /** A mapper adds the organization. Without another one, only access tokens have roles. */
  idToken: (user) => ({
    azp: user.clientId,
    typ: 'ID',
    name: user.name,
    preferred_username: user.email,
    email: user.email,
    email_verified: user.emailVerified,
  }),
  idTokensNameOrganization: true,
  accessToken: ({ claims: { client_id: azp, ...others }, userId }) => ({
    ...others,
    typ: 'Bearer',
    azp,
    ...(others.roles !== undefined && { realm_access: { roles: others.roles } }),
    ...(userId === undefined && { client_id: azp, preferred_username: `service-account-${azp}` }),
  }),
  assertions: { audiences: ['issuer', 'token_endpoint'], keyHeader: undefined },
  idJags: () => recorded('id-token-as-subject'),
  accessTokens: {
    refusals: {
      no_access_token: recorded('id-token-as-subject'),
      other_client: recorded('client-not-in-audience'),
      unknown_audience: recorded('audience-no-client'),
      not_allowed: audienceNotAvailable,
      scope_not_permitted: invalidScopes,
    },
    audienceIsClient: true,
    namesActors: false,
    answer: ({ scope }) => ({
      issued_token_type: TOKEN_TYPE.accessToken,
      session_state: randomUUID(),
      scope,
      refresh_expires_in: 0,
      'not-before-policy': 0,
    }),
  },
  exchangeOff: recorded('exchange-off'),
  hasOfflineAccess: true,
  errors: {
    invalid_client: recorded('client-refused'),
    unknown_key: assertionRefused(
      'Client authentication with signed JWT failed: Signature on JWT token failed validation',
    ),
    wrong_audience: assertionRefused('Invalid token audience'),
    invalid_grant: recorded('refresh-token-expired'),
    unsupported_grant_type: recorded('grant-unknown'),
  },
};
