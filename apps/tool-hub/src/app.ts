import type { TrustedIssuer } from '@legate/jwt';
import type { RateLimiter } from '@legate/rate-limit';
import type { EncryptionKeys, SecureStore } from '@legate/secure-store';
import {
  accessLog,
  apiSecurityHeaders,
  Counter,
  createExpressApp,
  type Health,
  type HttpClient,
  type Logger,
  type Metrics,
  problemHandler,
  requestId,
  unmatchedRoute,
} from '@legate/service';
import type { VerifyWorkload } from '@legate/workload';
import { authenticateWorkload } from '@legate/workload/express';
import type { Express } from 'express';
import type { CallTrail } from './audit/call-trail.ts';
import { createExplain } from './audit/explain.ts';
import type { Explanations } from './audit/explanations.ts';
import { explanationRoutes } from './audit/routes.ts';
import { authenticate } from './caller/authenticate.ts';
import { createCallerVerifier } from './caller/verify-caller.ts';
import { createIdTokenVerifier } from './caller/verify-id-token.ts';
import { createConnectorAccess } from './connectors/access.ts';
import { readJson } from './connectors/read-json.ts';
import type { ConnectorRegistry } from './connectors/registry.ts';
import { connectorRoutes } from './connectors/routes.ts';
import type { CertificateConnections } from './delegation/certificate-connections.ts';
import type { Delegation } from './delegation/delegation.ts';
import { createDelegations } from './delegation/delegations.ts';
import { createFallback } from './delegation/fallback.ts';
import { createIdJagMethod } from './delegation/id-jag.ts';
import type { IdentityProvider } from './delegation/identity-provider.ts';
import { createPassthroughMethod } from './delegation/passthrough.ts';
import { tokenRoutes } from './delegation/routes.ts';
import { createServiceMethod } from './delegation/service.ts';
import { createSingleFlight } from './delegation/single-flight.ts';
import { createTokenCache, type RevokedTokens, type TokenCache } from './delegation/token-cache.ts';
import { createToolServerDiscovery } from './discovery/cached-discovery.ts';
import { createDoctor } from './doctor/feature.ts';
import { createAgentsDoor } from './mcp/agents-door.ts';
import {
  createOAuthConnect,
  DEFAULT_CONNECT_OPTIONS,
  type OAuthConnect,
  type OAuthConnectOptions,
} from './oauth-connect/feature.ts';
import { type ConnectorGuards, createConnectorGuards } from './resilience/connector-guards.ts';
import type { GuardLimits } from './resilience/guard.ts';
import { guardDelegate, guardToolServers } from './resilience/guarded-legs.ts';
import type { Pause } from './resilience/pause.ts';
import { withTimeout } from './resilience/with-timeout.ts';
import { revocationRoutes } from './revocations/routes.ts';
import { createRevoke } from './revocations/service.ts';
import { endWhatIsRefused } from './sessions/end-what-is-refused.ts';
import { createSessionsFeature, type SessionsOptions } from './sessions/feature.ts';
import { backChannelLogoutRoutes } from './sessions/logout.ts';
import { sessionRoutes } from './sessions/routes.ts';
import { createTransactionTokens, type TransactionTokensOptions } from './transaction-tokens/feature.ts';
import { createListOf } from './upstream/list-pages.ts';
import { createMcpClient } from './upstream/mcp-client.ts';
import { createKnownParamHeaders } from './upstream/param-headers.ts';
import { createSendToolCall } from './upstream/tool-calls.ts';
import { createSendAsCaller } from './upstream/tool-servers.ts';
import { createTools } from './upstream/tools.ts';

export interface AppDependencies {
  readonly publicUrl: string;
  /** The identity provider as signer of callers' ID tokens */
  readonly issuer: TrustedIssuer;
  readonly acceptedAudiences: readonly string[];
  /** The identity provider as partner of the token exchange */
  readonly identityProvider: () => Promise<IdentityProvider>;
  readonly registry: ConnectorRegistry;
  /** Refuses callers that name no agent. */
  readonly requireAgent: boolean;
  /** Which services may revoke; undefined: none may. */
  readonly verifyWorkload: VerifyWorkload | undefined;
  /** Tells the other processes to forget an organization's connectors. */
  readonly announce: (organizationId: string) => Promise<void>;
  /** undefined: no workload gets transaction tokens. */
  readonly transactionTokens?: TransactionTokensOptions | undefined;
  /** How users connect accounts of their own */
  readonly oauthConnect?: OAuthConnectOptions | undefined;
  readonly sessions: SessionsOptions;
  /** Proxies in front, whose word on a client's address is taken */
  readonly trustedProxies?: readonly string[];
  readonly trail: CallTrail;
  readonly explanations: Pick<Explanations, 'find'>;
  readonly store: SecureStore;
  /** Seal what a tool server gives an agent to keep; shared by the replicas of a hub. */
  readonly encryptionKeys: EncryptionKeys;
  /** Web pages that may speak MCP with the hub */
  readonly allowedOrigins: readonly string[];
  readonly http: Pick<HttpClient, 'fetch' | 'dispatcher'>;
  /** For connectors with a client certificate */
  readonly connections: CertificateConnections;
  readonly clock: () => Date;
  /** Counts examinations of connectors. */
  readonly limiter: RateLimiter;
  /** Waits before a delegation is tried a second time. */
  readonly pause: Pause;
  /** Of each connector, in this process */
  readonly guardLimits: GuardLimits;
  /** For each request of discovery, and for each one at a connector's token endpoint */
  readonly discoveryTimeoutMs: number;
  readonly tokenTimeoutMs: number;
  readonly toolCallTimeoutMs: number;
  /** For one connector's part of an agent's list */
  readonly listTimeoutMs: number;
  readonly toolResultMaxBytes: number;
  readonly log: Logger;
  readonly metrics: Metrics;
  readonly health: Health;
}

const MAX_BODY_BYTES = 1_048_576;

export function createApp(deps: AppDependencies): Express {
  const { registry, log, metrics, http, clock, trail } = deps;
  const cache = createTokenCacheOf(deps);
  const guards = createConnectorGuards({ limits: deps.guardLimits, metrics: metrics.registry, log });
  const access = createConnectorAccess({ registry, requireAgent: deps.requireAgent });
  const oauthConnect = createOAuthConnect({
    ...deps,
    options: deps.oauthConnect ?? DEFAULT_CONNECT_OPTIONS,
    access,
    cache,
    fetch: http.fetch,
  });
  const verifyIdToken = createIdTokenVerifier({
    issuer: deps.issuer,
    audiences: deps.acceptedAudiences,
    clock,
  });
  const sessions = createSessionsFeature({ ...deps, ...deps.sessions, fetch: http.fetch, verifyIdToken });
  const delegations = endWhatIsRefused(createDelegationsOf(deps, cache, oauthConnect, guards), sessions);
  const mcp = createMcpClient({
    dispatcher: http.dispatcher,
    pause: deps.pause,
    clock,
    maxBytes: deps.toolResultMaxBytes,
  });
  const send = createSendAsCaller({ delegations, mcp: guardToolServers(mcp, guards), trail });
  const known = createKnownParamHeaders();
  const listOf = createListOf({ send, known, maxBytes: deps.toolResultMaxBytes });
  const callTool = createSendToolCall({ send, listOf, known });
  const tools = createTools({ callTool, listOf, timeoutMs: deps.toolCallTimeoutMs });
  const verifyCaller = createCallerVerifier({ verifyIdToken, sessions });

  const { trustedProxies = [] } = deps;
  const app = createExpressApp({ trustedProxies });
  app.use(requestId, accessLog(log), apiSecurityHeaders(), metrics.observeRequests);
  app.use(
    '/api/v1',
    authenticate(verifyCaller, 'api'), // before the body: a stranger's is not read
    readJson({ maxBytes: MAX_BODY_BYTES }),
    connectorRoutes({ access, tools, trail }),
    createDoctor({ ...deps, access, mcp, listOf }),
    explanationRoutes(createExplain(deps.explanations)),
    sessionRoutes(sessions),
    tokenRoutes({ registry, delegations, sessions }),
    oauthConnect.apiRoutes,
  );
  app.use(
    backChannelLogoutRoutes({
      issuer: deps.issuer,
      audiences: [...new Set([...deps.acceptedAudiences, deps.sessions.hubClient.clientId])],
      memory: deps.sessions.store,
      sessions,
      cache,
      clock,
      log,
    }),
  );
  app.use('/oauth', oauthConnect.browserRoutes);
  if (deps.verifyWorkload) {
    const kept = {
      async revoke(revoked: RevokedTokens): Promise<void> {
        const { connectorId, ...reach } = revoked;
        if (connectorId === undefined) await sessions.endAll(reach);
        await Promise.all([cache.revoke(revoked), oauthConnect.revoke(revoked)]);
      },
    };
    const revoke = createRevoke({ ...deps, cache: kept });
    app.use('/internal/v1', authenticateWorkload({ verify: deps.verifyWorkload }), revocationRoutes(revoke));
  }
  if (deps.transactionTokens) {
    const { publicUrl: issuer, transactionTokens } = deps;
    const identityProvider = deps.issuer.issuer;
    app.use(createTransactionTokens({ ...transactionTokens, issuer, identityProvider, clock, log }));
  }
  app.use(
    createAgentsDoor({
      ...deps,
      issuer: deps.issuer.issuer,
      authenticate: authenticate(verifyCaller, 'mcp'),
      watch: deps.sessions.endings.watch,
      access,
      send,
      listOf,
      callTool,
      known,
      metrics: metrics.registry,
    }),
  );
  app.use(deps.health.router, unmatchedRoute);
  app.use(problemHandler({ log, typeBase: `${deps.publicUrl}/errors` }));
  return app;
}

function createTokenCacheOf({ store, clock, log, metrics }: AppDependencies): TokenCache {
  const lookups = new Counter({
    name: 'token_cache_lookups_total',
    help: 'Lookups in the token cache; an entry that cannot be read is an error, and treated as a miss',
    labelNames: ['outcome'],
    registers: [metrics.registry],
  });
  return createTokenCache({ store, clock, log, onLookup: (outcome) => lookups.inc({ outcome }) });
}

function createDelegationsOf(
  deps: AppDependencies,
  cache: TokenCache,
  oauthConnect: OAuthConnect,
  guards: ConnectorGuards,
) {
  const { clock, log } = deps;
  const { registry } = deps.metrics;
  const outcomes = new Counter({
    name: 'delegations_total',
    help: 'Delegations that no kept token served, by method and outcome',
    labelNames: ['method', 'outcome'],
    registers: [registry],
  });
  const fetch = withTimeout(deps.http.fetch, deps.tokenTimeoutMs);
  const discover = createToolServerDiscovery({
    fetch: withTimeout(deps.http.fetch, deps.discoveryTimeoutMs),
    clock,
  });
  const { identityProvider, pause } = deps;
  return createDelegations({
    cache,
    flights: createSingleFlight<Delegation>(),
    delegate: guardDelegate(
      createFallback({
        'id-jag': createIdJagMethod({ identityProvider, discover, fetch, clock, pause }),
        passthrough: createPassthroughMethod({
          onForwarded: ({ organizationId, userId, connectorId, to }) =>
            log.warn(
              {
                action: 'delegation.passthrough',
                organization_id: organizationId,
                user_id: userId,
                connector_id: connectorId,
                to,
              },
              "a user's own token is passed on",
            ),
        }),
        service: createServiceMethod(deps),
        'oauth-pkce': oauthConnect.method,
      }),
      guards,
    ),
    outcomes,
    log,
  });
}
