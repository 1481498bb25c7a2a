import type { EventEmitter } from 'node:events';
import {
  type AdapterFactory,
  type Configuration,
  errors,
  type KoaContextWithOIDC,
  type OidcProvider,
  Provider,
  RETRY_AFTER_SECONDS,
  StoreUnavailable,
} from '@legate/authorization-server';
import type { SigningKeys } from '@legate/jwt';
import { GRANT_TYPE } from '@legate/oauth';
import type { Logger } from '@legate/service';
import type { Directory } from '../directory/directory.ts';
import { type Endpoints, issuerPathOf, type Personality } from '../personalities/personality.ts';
import { claimNames, isPairwise, shapeAccessToken, subjectOf } from '../personalities/tokens.ts';
import type { ApiAccess } from './api-access.ts';
import { findActiveUser, identityClaims } from './identity.ts';
import type { ProviderPages } from './pages.ts';
import { createSignInPolicy, grantWhatIsAsked, settleScope } from './sign-in-policy.ts';

const HOUR = 3600;
const DAY = 24 * HOUR;

type AuthMethods = NonNullable<Configuration['clientAuthMethods']>;
const AUTH_METHODS: AuthMethods = ['client_secret_basic', 'client_secret_post', 'private_key_jwt', 'none'];
type AuthAlgorithm = 'RS256' | 'PS256' | 'ES256' | 'Ed25519' | 'EdDSA';
const AUTH_ALGORITHMS: AuthAlgorithm[] = ['RS256', 'PS256', 'ES256', 'Ed25519', 'EdDSA'];

/** Paths of oidc-provider's endpoints. A feature without a path is off. */
const routesOf = ({ authorization, token, jwks, userinfo, endSession, revocation }: Endpoints) => ({
  ...{ authorization, token, jwks, userinfo },
  ...(endSession !== undefined && { end_session: endSession }),
  ...(revocation !== undefined && { revocation }),
});

const scopesOf = ({ hasOfflineAccess }: Personality, subjectScopes: readonly string[]): string[] => [
  'openid',
  ...subjectScopes,
  ...(hasOfflineAccess ? ['offline_access'] : []),
  'email',
  'profile',
];

/** Seconds */
const TTL: NonNullable<Configuration['ttl']> = {
  AccessToken: (_ctx, token) => token.resourceServer?.accessTokenTTL ?? HOUR,
  ClientCredentials: (_ctx, token) => token.resourceServer?.accessTokenTTL ?? HOUR,
  AuthorizationCode: 60,
  RefreshToken: 14 * DAY,
  Interaction: HOUR,
  Session: 12 * HOUR,
  Grant: 14 * DAY,
};

const featuresOf = (
  apiAccess: ApiAccess,
  pages: ProviderPages,
  endpoints: Endpoints,
): NonNullable<Configuration['features']> => ({
  devInteractions: { enabled: false },
  dPoP: { enabled: false },
  claimsParameter: { enabled: true },
  pushedAuthorizationRequests: { enabled: false },
  clientCredentials: { enabled: true },
  revocation: {
    enabled: endpoints.revocation !== undefined,
    allowedPolicy: (_ctx, client, token) => token.clientId === client.clientId,
  },
  backchannelLogout: { enabled: true },
  rpInitiatedLogout: {
    enabled: endpoints.endSession !== undefined,
    logoutSource: pages.logout,
    postLogoutSuccessSource: pages.loggedOut,
  },
  resourceIndicators: {
    enabled: true,
    useGrantedResource: async () => true,
    getResourceServerInfo: (_ctx, resource, client) => apiAccess.resourceServer(resource, client.clientId),
  },
});

/** Configures oidc-provider, with every hook whose default would print a warning to the console. */
export function createOpenIdProvider(deps: {
  issuer: string;
  personality: Personality;
  keys: SigningKeys;
  cookieKeys: readonly string[];
  directory: Directory;
  apiAccess: ApiAccess;
  adapter: AdapterFactory;
  pages: ProviderPages;
  /** `fetch` of the guarded HTTP client */
  fetch: typeof globalThis.fetch;
  idTokenTtlSeconds: number;
  /** Scopes with which a client gets an access token that it may exchange */
  subjectScopes: readonly string[];
  log: Logger;
}): OidcProvider {
  const { issuer, personality, directory, apiAccess, pages, log } = deps;
  const endpoints = personality.endpoints(issuerPathOf(issuer));
  const cookie = { httpOnly: true, sameSite: 'lax', signed: true } as const;

  const provider = new Provider(issuer, {
    adapter: deps.adapter,
    jwks: deps.keys.privateJwks(),
    cookies: { keys: [...deps.cookieKeys], long: cookie, short: cookie },
    routes: routesOf(endpoints),
    discovery: {
      // Without this member clients must assume `client_secret_basic` only (RFC 8414 §2).
      revocation_endpoint_auth_methods_supported: AUTH_METHODS,
      revocation_endpoint_auth_signing_alg_values_supported: AUTH_ALGORITHMS,
    },
    responseTypes: ['code'],
    scopes: scopesOf(personality, deps.subjectScopes),
    claims: {
      openid: ['sub', ...claimNames(personality)],
      email: ['email', 'email_verified'],
      profile: ['name'],
    },
    conformIdTokenClaims: false,
    subjectTypes: isPairwise(personality) ? ['public', 'pairwise'] : ['public'],
    sectorIdentifierUriValidate: () => false, // redirect URIs come from the directory, so there is nothing to fetch
    pairwiseIdentifier: async (_ctx, userId, { clientId }) => subjectOf(personality, { userId, clientId }),
    clientAuthMethods: AUTH_METHODS,
    enabledJWA: { idTokenSigningAlgValues: ['RS256'], clientAuthSigningAlgValues: AUTH_ALGORITHMS },
    // Clients are native applications or servers. Browser clients send no cookie here, so any origin may read (Fetch
    // §3.2.5).
    clientBasedCORS: () => true,
    // `options` contain oidc-provider's own dispatcher; the guarded client uses its own, with the operator's rules.
    fetch: (url, options) => deps.fetch(url, options),
    pkce: { required: () => true },
    features: featuresOf(apiAccess, pages, endpoints),
    extraTokenClaims: (_ctx, token) =>
      apiAccess.extraClaims({
        audience: typeof token.aud === 'string' ? token.aud : '',
        clientId: token.clientId ?? '',
        userId: 'accountId' in token ? token.accountId : undefined,
      }),
    formats: {
      customizers: {
        // See settleApiScopes: a token always has a scope, even if a refresh narrows it to nothing.
        jwt(_ctx, token, structured) {
          const { scope } = structured.payload;
          if (!scope) throw new errors.InvalidScope('none of the scopes can be granted', '');
          const { typ, claims } = shapeAccessToken(personality, {
            claims: {
              ...structured.payload,
              iss: issuer,
              sub: String(structured.payload.sub),
              client_id: String(structured.payload.client_id),
              scope: String(scope),
            },
            userId: 'accountId' in token ? token.accountId : undefined,
          });
          structured.payload = { ...claims };
          structured.header = { typ };
        },
      },
    },
    async findAccount(ctx, userId) {
      const user = await findActiveUser(directory, userId);
      if (!user) return undefined;
      const clientId = ctx.oidc.client?.clientId ?? '';
      return {
        accountId: user.id,
        claims: () => identityClaims(directory, personality, { user, clientId, issuer }),
      };
    },
    interactions: {
      policy: createSignInPolicy(),
      url: async (_ctx, interaction) => `/interaction/${interaction.uid}`,
    },
    loadExistingGrant: grantWhatIsAsked,
    // Adds no parameter: the check must run last, when the scope is known.
    extraParams: { scope: (ctx) => settleScope(ctx, personality) },
    issueRefreshToken: async (_ctx, client, source) =>
      client.grantTypeAllowed(GRANT_TYPE.refreshToken) && source.scopes.has('offline_access'),
    rotateRefreshToken: true,
    renderError: pages.error,
    ttl: { ...TTL, IdToken: deps.idTokenTtlSeconds },
  });

  // Adds the grant to the discovery document; our own code handles the exchange before oidc-provider does
  // (docs/adr/0008).
  provider.registerGrantType(GRANT_TYPE.tokenExchange, () => {
    throw new errors.InvalidRequest('answered elsewhere');
  });
  provider.proxy = true; // uses the scheme of the issuer, see engine.ts
  reportTo(log, provider);
  return provider;
}

/**
 * Logs only the code of a refusal, because a description may repeat what was sent. Without a listener Koa would write
 * to the console.
 */
function reportTo(log: Logger, provider: OidcProvider): void {
  const refused = (ctx: Pick<KoaContextWithOIDC, 'set'>, err: Error) => {
    if (err instanceof StoreUnavailable) {
      ctx.set('Retry-After', RETRY_AFTER_SECONDS);
      log.error({ err }, 'openid request failed: the store is unavailable');
    } else log.info({ code: 'error' in err ? err.error : err.name }, 'openid request refused');
  };
  provider.on('authorization.error', refused);
  provider.on('grant.error', refused);
  provider.on('revocation.error', refused);
  provider.on('userinfo.error', refused);
  provider.on('end_session.error', refused);
  provider.on('end_session_confirm.error', refused);
  provider.on('backchannel.success', (_ctx, client) => {
    log.info({ client_id: client.clientId }, 'logout token sent to a client');
  });
  provider.on('backchannel.error', (_ctx, err, client) => {
    log.warn({ err, client_id: client.clientId }, 'logout token not accepted by a client');
  });
  provider.on('server_error', (_ctx, err) => log.error({ err }, 'openid request failed'));
  const koa: EventEmitter = provider;
  koa.on('error', (err: unknown) => log.error({ err }, 'openid request failed'));
}
