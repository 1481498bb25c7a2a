import type { EventEmitter } from 'node:events';
import {
  type AdapterFactory,
  type Configuration,
  errors,
  interactionPolicy,
  type KoaContextWithOIDC,
  type OidcProvider,
  Provider,
  RETRY_AFTER_SECONDS,
  StoreUnavailable,
} from '@legate/authorization-server';
import type { Logger } from '@legate/service';
import { ORIGIN_PARAMETER } from './open-authorizations.ts';
import { CODE_SECONDS, INTERACTION_SECONDS, SCOPE, TOKEN_SECONDS } from './terms.ts';

/** Data of the session behind a code or token that oidc-provider needs */
export interface LivingSession {
  /** Epoch seconds */
  readonly endsAt: number;
}

/** Lifetime of grants: longer than any session, whose end also ends them */
const GRANT_SECONDS = 30 * 86_400;

const ROUTES = {
  authorization: '/oauth/authorize',
  token: '/oauth/token',
  revocation: '/oauth/revoke',
};

/** Shows the fault of an authorization request that has no safe redirect URI. */
export type RenderFault = (ctx: KoaContextWithOIDC, code: string) => void;

/**
 * Configures oidc-provider as a plain OAuth 2.1 authorization server: no scope of OpenID Connect, so no ID token. Its
 * `accountId` is the storage key of a session. Each authorization has its own session, so ending it ends its tokens.
 * @param deps.findSession returns undefined for a session that has ended
 */
export function createProvider(deps: {
  publicUrl: string;
  adapter: AdapterFactory;
  cookieKeys: readonly string[];
  /** A key made by this process: nothing is signed with it, but oidc-provider requires one. */
  jwks: NonNullable<Configuration['jwks']>;
  resources: (resource: string) => boolean;
  findSession: (key: string) => Promise<LivingSession | undefined>;
  renderFault: RenderFault;
  clock: () => Date;
  log: Logger;
}): OidcProvider {
  const { log } = deps;
  const cookie = { httpOnly: true, sameSite: 'lax', signed: true } as const;
  const secondsUntil = (endsAt: unknown): number =>
    typeof endsAt === 'number' ? Math.max(1, endsAt - Math.floor(deps.clock().getTime() / 1000)) : 1;
  const sessionEnd = (ctx: KoaContextWithOIDC): unknown => ctx.oidc.account?.endsAt;

  const provider = new Provider(deps.publicUrl, {
    adapter: deps.adapter,
    jwks: deps.jwks,
    cookies: {
      keys: [...deps.cookieKeys],
      long: cookie,
      short: cookie,
      names: { session: SESSION_COOKIE, interaction: 'legate_interaction', resume: RESUME_COOKIE },
    },
    routes: ROUTES,
    extraParams: [BROWSER_PARAMETER, ORIGIN_PARAMETER],
    responseTypes: ['code'],
    scopes: [],
    clientAuthMethods: ['none', 'client_secret_post'],
    // The routes in front answer preflights and set the CORS headers. `false` would refuse every request of a page.
    clientBasedCORS: () => true,
    pkce: { required: () => true },
    features: {
      devInteractions: { enabled: false },
      dPoP: { enabled: false },
      pushedAuthorizationRequests: { enabled: false },
      rpInitiatedLogout: { enabled: false },
      userinfo: { enabled: false },
      resourceIndicators: {
        enabled: true,
        useGrantedResource: async () => true,
        getResourceServerInfo(_ctx, resource) {
          if (!deps.resources(resource)) throw new errors.InvalidTarget();
          return {
            scope: SCOPE,
            audience: resource,
            accessTokenFormat: 'opaque',
            accessTokenTTL: TOKEN_SECONDS,
          };
        },
      },
    },
    async findAccount(_ctx, key) {
      const session = await deps.findSession(key);
      return session && { accountId: key, endsAt: session.endsAt, claims: () => ({ sub: key }) };
    },
    interactions: {
      policy: alwaysAsk(),
      url: async (_ctx, interaction) =>
        `${new URL(deps.publicUrl).pathname.replace(/\/$/, '')}/oauth/interaction/${interaction.uid}`,
    },
    loadExistingGrant: grantWhatIsAsked,
    issueRefreshToken: async () => true,
    rotateRefreshToken: true,
    expiresWithSession: async () => false,
    renderError: (ctx, out) => deps.renderFault(ctx, out.error),
    ttl: {
      AccessToken: (ctx) => Math.min(TOKEN_SECONDS, secondsUntil(sessionEnd(ctx))),
      RefreshToken: (ctx) => secondsUntil(sessionEnd(ctx)),
      AuthorizationCode: CODE_SECONDS,
      Interaction: INTERACTION_SECONDS,
      Session: INTERACTION_SECONDS,
      Grant: GRANT_SECONDS,
      IdToken: TOKEN_SECONDS,
    },
  });
  provider.proxy = true; // the scheme is that of PUBLIC_URL (engine.ts)
  reportTo(log, provider);
  return provider;
}

/** Hash of the browser's cookie, part of an authorization request from its beginning. Clients cannot set it. */
export const BROWSER_PARAMETER = 'legate_browser';

/** Cookie that names the authorization that oidc-provider resumes */
export const RESUME_COOKIE = 'legate_resume';
/** oidc-provider's own login session. It is not used: every authorization is a new sign-in at the identity provider. */
export const SESSION_COOKIE = 'legate_session';

/** One interaction of ours, in which the user signs in and decides */
function alwaysAsk() {
  const policy = interactionPolicy.base();
  policy.remove('consent');
  return policy;
}

/** Grants everything that was requested: there is no session before the user has allowed it. */
async function grantWhatIsAsked({ oidc }: KoaContextWithOIDC) {
  const { client, account } = oidc;
  if (!client || !account) return undefined;
  const grant = new oidc.provider.Grant({ accountId: account.accountId, clientId: client.clientId });
  for (const resource of Object.keys(oidc.resourceServers ?? {})) grant.addResourceScope(resource, SCOPE);
  await grant.save();
  return grant;
}

/**
 * Logs refusals by code alone: a description may repeat the request. Without a listener Koa would write to the console.
 */
function reportTo(log: Logger, provider: OidcProvider): void {
  const refused = (ctx: Pick<KoaContextWithOIDC, 'set'>, err: Error) => {
    if (err instanceof StoreUnavailable) {
      ctx.set('Retry-After', RETRY_AFTER_SECONDS);
      log.error({ err }, 'authorization request without a response');
    } else log.info({ code: 'error' in err ? err.error : err.name }, 'authorization request refused');
  };
  provider.on('authorization.error', refused);
  provider.on('grant.error', refused);
  provider.on('revocation.error', refused);
  provider.on('server_error', (_ctx, err) => log.error({ err }, 'authorization request failed'));
  const koa: EventEmitter = provider;
  koa.on('error', (err: unknown) => log.error({ err }, 'authorization request failed'));
}
