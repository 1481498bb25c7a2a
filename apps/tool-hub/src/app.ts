import type { IdTokenClaims, TokenProfile, TrustedIssuer } from '@legate/jwt';
import { createSlots, type RateLimiter } from '@legate/rate-limit';
import type { EncryptionKeys, SecureStore } from '@legate/secure-store';
import {
  accessLog,
  apiSecurityHeaders,
  createExpressApp,
  type Health,
  type HttpClient,
  type Logger,
  type MemoryBudget,
  type Metrics,
  problemHandler,
  requestContext,
  type Tracer,
  unmatchedRoute,
} from '@legate/service';
import type { VerifyWorkload } from '@legate/workload';
import type { Express } from 'express';
import type { CallTrail } from './audit/call-trail.ts';
import { createExplain } from './audit/explain.ts';
import type { Explanations } from './audit/explanations.ts';
import { explanationRoutes } from './audit/routes.ts';
import { createNoteDeed } from './audit/user-event.ts';
import { authenticate, memoryOf } from './caller/authenticate.ts';
import { createCallerVerifier } from './caller/verify-caller.ts';
import { createIdTokenVerifier } from './caller/verify-id-token.ts';
import { createConnectorAccess } from './connectors/access.ts';
import { readJson } from './connectors/read-json.ts';
import type { ConnectorRegistry } from './connectors/registry.ts';
import { connectorRoutes } from './connectors/routes.ts';
import { toolCallRoute } from './connectors/tool-call-route.ts';
import type { CertificateConnections } from './delegation/certificate-connections.ts';
import { createCountedTokenCache, createDelegationFeature } from './delegation/feature.ts';
import type { IdJagOrganization } from './delegation/id-jag-checks.ts';
import type { IdentityProvider } from './delegation/identity-provider.ts';
import { tokenRoutes } from './delegation/routes.ts';
import { createDoctor } from './doctor/feature.ts';
import { frontPages } from './front-pages.ts';
import { awaitAdmission, beginAdmission, countRefused } from './limits/express.ts';
import { createAdmit, type FairUseLimits } from './limits/fair-use.ts';
import { createAgentsDoor } from './mcp/agents-door.ts';
import { createListMemory } from './mcp/list-memory.ts';
import {
  createOAuthConnect,
  DEFAULT_CONNECT_OPTIONS,
  type OAuthConnectOptions,
} from './oauth-connect/feature.ts';
import { createConnectorGuards } from './resilience/connector-guards.ts';
import type { GuardLimits } from './resilience/guard.ts';
import type { Pause } from './resilience/pause.ts';
import { createRevocations } from './revocations/feature.ts';
import { endWhatIsRefused } from './sessions/end-what-is-refused.ts';
import { createSessionsFeature, type SessionsOptions } from './sessions/feature.ts';
import { backChannelLogoutRoutes } from './sessions/logout.ts';
import { createRememberSignIn } from './sessions/remember-sign-in.ts';
import { sessionRoutes } from './sessions/routes.ts';
import { createSignOuts, refuseSignedOut } from './sessions/sign-outs.ts';
import { createTransactionTokens, type TransactionTokensOptions } from './transaction-tokens/feature.ts';
import { createUpstream } from './upstream/feature.ts';

export interface AppDependencies {
  readonly publicUrl: string;
  /** The identity provider as signer of callers' ID tokens */
  readonly issuer: TrustedIssuer;
  readonly acceptedAudiences: readonly string[];
  /** The claim of ID tokens that names the organization. Users must not be able to choose it. */
  readonly organizationClaim: string;
  /** What an ID token must be, and must not have */
  readonly idTokenProfile: TokenProfile<IdTokenClaims>;
  /** The identity provider as partner of the token exchange */
  readonly identityProvider: () => Promise<IdentityProvider>;
  readonly idJagOrganization: IdJagOrganization;
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
  /** Counts what one user may ask for, such as examinations of connectors. */
  readonly limiter: RateLimiter;
  /** Counts the requests of organizations by their plans. */
  readonly planLimiter: RateLimiter;
  readonly fairUse: FairUseLimits;
  /** Waits before a delegation is tried a second time. */
  readonly pause: Pause;
  /** Of each connector, in this process */
  readonly guardLimits: GuardLimits;
  /** For each request of discovery, and for each one at a connector's token endpoint */
  readonly discoveryTimeoutMs: number;
  readonly tokenTimeoutMs: number;
  /** After which a command of the store has failed */
  readonly storeCommandTimeoutMs: number;
  readonly toolCallTimeoutMs: number;
  /** For one connector's part of an agent's list */
  readonly listTimeoutMs: number;
  readonly toolResultMaxBytes: number;
  /** What requests may keep in memory */
  readonly memory: MemoryBudget;
  readonly log: Logger;
  readonly metrics: Metrics;
  /** undefined: no spans are made. */
  readonly tracer?: Tracer | undefined;
  readonly health: Health;
}

const MAX_BODY_BYTES = 1_048_576;

export function createApp(deps: AppDependencies): Express {
  const { registry, log, metrics, http, clock } = deps;
  const cache = createCountedTokenCache(deps);
  const noteDeed = createNoteDeed(deps);
  const guards = createConnectorGuards({ limits: deps.guardLimits, clock, metrics: metrics.registry, log });
  const access = createConnectorAccess({ registry, requireAgent: deps.requireAgent });
  const oauthConnect = createOAuthConnect({
    ...deps,
    options: deps.oauthConnect ?? DEFAULT_CONNECT_OPTIONS,
    access,
    cache,
    noteDeed,
    fetch: http.fetch,
  });
  const verifyIdToken = createIdTokenVerifier({
    issuer: deps.issuer,
    audiences: deps.acceptedAudiences,
    organizationClaim: deps.organizationClaim,
    profile: deps.idTokenProfile,
    clock,
  });
  const sessions = createSessionsFeature({
    ...deps,
    ...deps.sessions,
    secureStore: deps.store,
    noteDeed,
    fetch: http.fetch,
    verifyIdToken,
  });
  const signOuts = createSignOuts({ store: deps.sessions.store, log });
  const signedIn = refuseSignedOut(signOuts);
  const rememberSignIn = createRememberSignIn({ memory: deps.sessions.store, clock, log });
  const delegations = endWhatIsRefused(
    createDelegationFeature({ ...deps, cache, signOuts, rememberSignIn, oauthConnect, guards }),
    sessions,
  );
  const memory = createListMemory({ clock, metrics: metrics.registry });
  deps.sessions.endings.onEnd(memory.end);
  const upstream = createUpstream({ ...deps, delegations, guards, onListChanged: memory.change });
  const verifyCaller = createCallerVerifier({ verifyIdToken, sessions });

  const admit = createAdmit({
    limiter: deps.planLimiter,
    slots: createSlots(),
    registry,
    limits: deps.fairUse,
    metrics: metrics.registry,
  });
  const { trustedProxies = [] } = deps;
  const app = createExpressApp({ trustedProxies });
  app.use(requestContext(deps.tracer), accessLog(log), apiSecurityHeaders(), metrics.observeRequests);
  const identityProvider = deps.issuer.issuer;
  // The agents' door first: each router in front of it is a part of what every call costs.
  app.use(
    createAgentsDoor({
      ...deps,
      ...upstream,
      memory,
      issuer: identityProvider,
      authenticate: authenticate(verifyCaller, 'mcp', deps.memory),
      admit,
      watch: deps.sessions.endings.watch,
      access,
      metrics: metrics.registry,
    }),
  );
  app.use(
    '/api/v1',
    authenticate(verifyCaller, 'api', deps.memory), // before the body: a stranger's is not read
    beginAdmission(admit),
    readJson({ maxBytes: MAX_BODY_BYTES, memoryOf }),
    toolCallRoute({ ...deps, ...upstream, access, watch: deps.sessions.endings.watch }),
    awaitAdmission,
    connectorRoutes({
      ...deps,
      ...upstream,
      access,
      watch: deps.sessions.endings.watch,
      refuseSignedOut: signedIn,
    }),
    // Repeated after a failure, it must find its own mark no obstacle.
    tokenRoutes({ registry, delegations, sessions, noteDeed, clock }),
    // What is above reads the marks of sign-outs with the tokens; what is below reads nothing, or too late.
    signedIn,
    createDoctor({ ...deps, ...upstream, access, noteDeed }),
    explanationRoutes(createExplain(deps.explanations)),
    sessionRoutes({ sessions, limiter: deps.limiter }),
    oauthConnect.apiRoutes,
    countRefused(),
  );
  app.use(
    backChannelLogoutRoutes({
      issuer: deps.issuer,
      audiences: [...new Set([...deps.acceptedAudiences, deps.sessions.hubClient.clientId])],
      memory: deps.sessions.store,
      budget: deps.memory,
      sessions,
      cache,
      clock,
      log,
    }),
  );
  app.use('/oauth', oauthConnect.publicRoutes);
  const { verifyWorkload, transactionTokens } = deps;
  if (verifyWorkload) {
    const revocations = createRevocations({ ...deps, verifyWorkload, sessions, cache, oauthConnect });
    app.use('/internal/v1', revocations);
  }
  if (transactionTokens) {
    const common = {
      ...deps,
      issuer: deps.publicUrl,
      identityProvider,
      ends: deps.sessions.store,
      metrics: metrics.registry,
    };
    app.use(createTransactionTokens({ ...common, ...transactionTokens }));
  }
  app.use(deps.health.router, frontPages(deps.publicUrl), unmatchedRoute);
  app.use(problemHandler({ log, typeBase: `${deps.publicUrl}/errors` }));
  return app;
}
