import { setTimeout as wait } from 'node:timers/promises';
import { Counter } from '@legate/service';
import type { VerifyWorkload } from '@legate/workload';
import { Router } from 'express';
import { createAdmitUser, createAgentOfClient } from '../connectors/access.ts';
import { createBrowserCookie } from '../faces/accounts/browser-cookie.ts';
import { browserRoutes, connectPageRoutes } from '../faces/accounts/browser-routes.ts';
import { clientDocumentRoutes } from '../faces/accounts/client-document.ts';
import { createConnectPage } from '../faces/accounts/connect-page.ts';
import { createConnectedAccounts } from '../faces/accounts/connected-accounts.ts';
import { createConsentFlow } from '../faces/accounts/consent-flow.ts';
import { createPartnersOf } from '../faces/accounts/consent-partners.ts';
import { createKeepConsent } from '../faces/accounts/keep-consent.ts';
import { connectionRoutes } from '../faces/accounts/routes.ts';
import { createUserSignIn } from '../faces/accounts/user-sign-in.ts';
import { createAuthorizationServer } from '../faces/authorization/feature.ts';
import { createFindNames } from '../faces/authorization/shown-names.ts';
import { SCOPE } from '../faces/authorization/terms.ts';
import { createAnswerListen } from '../faces/mcp/agent-listen.ts';
import { createAgentSessions } from '../faces/mcp/agent-sessions.ts';
import { createAgentLists } from '../faces/mcp/lists.ts';
import { createMetadataRoutes, resourceOf } from '../faces/mcp/metadata.ts';
import { createAnswerAgent } from '../faces/mcp/methods.ts';
import { createPresent } from '../faces/mcp/present.ts';
import { createRequestStates } from '../faces/mcp/request-state.ts';
import { createMcpRoutes } from '../faces/mcp/routes.ts';
import { createRevocations } from '../faces/revocations/feature.ts';
import { backChannelLogoutRoutes } from '../faces/revocations/logout.ts';
import { JWKS_PATH, type OAuthPart } from '../faces/token-endpoint/oauth-part.ts';
import { oauthRoutes } from '../faces/token-endpoint/routes.ts';
import { createTransactionTokens } from '../faces/transaction-tokens/feature.ts';
import { authenticate } from '../sign-in/authenticate.ts';
import type { AppDependencies } from './app-dependencies.ts';
import type { Core } from './core.ts';

/**
 * The routes where users connect accounts: `apiRoutes` below `/api/v1`, with the user's ID token; `publicRoutes` below
 * `/oauth`, for browsers, and for authorization servers that read the client metadata.
 */
export function accountsFace(deps: AppDependencies, core: Core) {
  const { publicUrl, identityProvider, store, limiter, strangers, clock, log } = deps;
  const { accessForUsers: access, cache, noteDeed, records } = core;
  const { connections, clientOf, discover } = core.connections;
  const { returnTo, ttlSeconds } = core.connectOptions;
  const { fetch } = deps.http;
  const cookie = createBrowserCookie({ secure: publicUrl.startsWith('https:') });
  const userSignIn = createUserSignIn({ identityProvider, redirectUri: `${publicUrl}/oauth/callback` });
  const consentFlow = createConsentFlow({
    connections,
    partnersOf: createPartnersOf({ access, discover, clientOf, fetch }),
    keep: createKeepConsent({ connections, noteUse: records['oauth-pkce'].write, ttlSeconds, clock }),
    discover,
    clientOf,
    userSignIn,
    store,
    publicUrl,
    noteDeed,
    clock,
    log,
  });
  const accounts = createConnectedAccounts({
    connections,
    cache,
    discover,
    clientOf,
    fetch,
    noteDeed,
    clock,
    log,
  });
  const connectPage = createConnectPage({
    store,
    userSignIn,
    verifyOwn: core.signIn.verifyOwn,
    access,
    createLink: consentFlow.begin,
  });
  return {
    userSignIn,
    cookie,
    pageRoutes: connectPageRoutes({ connectPage, cookie, strangers, publicUrl, log }),
    apiRoutes: connectionRoutes({ access, consentFlow, accounts, limiter, returnTo }),
    publicRoutes: Router().use(
      clientDocumentRoutes({ publicUrl }),
      browserRoutes({ consentFlow, connectPage, publicUrl, cookie, log }),
    ),
  };
}

/** `/mcp`, `/mcp/{connector_id}`, and what says where to get a token for them. */
export function agentFace(deps: AppDependencies, { access, admit, calls, listMemory, signIn }: Core): Router {
  const { publicUrl, allowedOrigins, encryptionKeys: keys, trail, clock, log } = deps;
  const { readList, callTool, send, listen, known } = calls;
  const timeoutMs = deps.listTimeoutMs;
  return Router().use(
    createMcpRoutes({
      publicUrl,
      scope: deps.authorizationServer ? SCOPE : 'openid',
      allowedOrigins,
      authenticate: authenticate(signIn.verifyCaller, 'mcp', deps.memory, ({ params }) => ({
        kind: 'mcp',
        resource: resourceOf(
          publicUrl,
          typeof params.connectorId === 'string' ? params.connectorId : undefined,
        ),
      })),
      noteTokenRefusals: signIn.noteTokenRefusals,
      admit,
      watch: deps.sessions.endings.watch,
      access,
      sessions: createAgentSessions({ keys, clock }),
      answerAgent: createAnswerAgent({
        lists: createAgentLists({ readList, memory: listMemory, timeoutMs, clock, log }),
        present: createPresent({ send, memory: listMemory, timeoutMs, clock, log }),
        callTool,
        send,
        known,
        states: createRequestStates({ keys, clock }),
        answerListen: createAnswerListen({ listen, streams: deps.streams, timeoutMs, clock }),
        publicUrl,
        timeoutMs: deps.toolCallTimeoutMs,
      }),
      trail,
      requests: new Counter({
        name: 'agent_requests_total',
        help: 'MCP requests of agents, by how they ended; a tool that failed is a result',
        labelNames: ['era', 'method', 'outcome'],
        registers: [deps.metrics.registry],
      }),
      log,
    }),
    createMetadataRoutes(
      deps.authorizationServer
        ? { publicUrl, issuer: publicUrl, scope: SCOPE }
        : { publicUrl, issuer: deps.issuer.issuer, scope: 'openid' },
    ),
  );
}

export const logoutRoutes = (deps: AppDependencies, core: Core): Router =>
  backChannelLogoutRoutes({
    issuer: deps.issuer,
    audiences: [...new Set([...deps.acceptedAudiences, deps.sessions.hubClient.clientId])],
    memory: deps.sessions.store,
    budget: deps.memory,
    sessions: core.signIn.sessions,
    cache: core.cache,
    clock: deps.clock,
    log: deps.log,
  });

export const revocationRoutes = (deps: AppDependencies, core: Core, verifyWorkload: VerifyWorkload): Router =>
  createRevocations({
    verifyWorkload,
    sessions: core.signIn.sessions,
    cache: core.cache,
    connections: core.connections.connections,
    registry: deps.registry,
    certificates: deps.connections,
    announce: deps.announce,
    announceChange: deps.announceChange,
    limiter: deps.limiter,
    clock: deps.clock,
    log: deps.log,
  });

/** Where MCP clients sign users in; undefined where they do so at the identity provider. */
export function authorizationFace(
  deps: AppDependencies,
  core: Core,
  accounts: ReturnType<typeof accountsFace>,
) {
  const { authorizationServer } = deps;
  const { clientSessionsOf, sessions, stepUps, refreshTokens, verifyOwn } = core.signIn;
  return (
    authorizationServer &&
    createAuthorizationServer({
      ...authorizationServer,
      publicUrl: deps.publicUrl,
      hubClientId: deps.sessions.hubClient.clientId,
      store: deps.store,
      keys: deps.encryptionKeys,
      cookie: accounts.cookie,
      userSignIn: accounts.userSignIn,
      verifyOwn,
      admit: createAdmitUser(deps.registry),
      agentOf: createAgentOfClient(deps.registry),
      findNames: createFindNames(deps.registry, resourceOf(deps.publicUrl, undefined)),
      sessions,
      clientSessionsOf,
      stepUps,
      refreshTokens,
      strangers: deps.strangers,
      failures: deps.failures,
      memory: deps.memory,
      noteDeed: core.noteDeed,
      pause: wait,
      clock: deps.clock,
      log: deps.log,
    })
  );
}

/** `/oauth/token` and the metadata, with what each feature adds to them. */
export function tokenEndpointFace(
  deps: AppDependencies,
  parts: readonly (OAuthPart | undefined)[],
): Router | undefined {
  const present = parts.filter((part) => part !== undefined);
  if (present.length === 0) return undefined;
  const { publicUrl: issuer, failures, memory, log } = deps;
  return oauthRoutes({ issuer, parts: present, failures, memory, log });
}

/** Publishes the keys by which the hub says which agent acts. */
export const actorKeysPart = ({ actorKeys, publicUrl }: AppDependencies): OAuthPart | undefined =>
  actorKeys && {
    grants: new Map(),
    metadata: { jwks_uri: `${publicUrl}${JWKS_PATH}` },
    jwks: () => actorKeys.publicJwks(),
  };

export const transactionTokens = (deps: AppDependencies): OAuthPart | undefined =>
  deps.transactionTokens &&
  createTransactionTokens({
    ...deps.transactionTokens,
    issuer: deps.publicUrl,
    identityProvider: deps.issuer.issuer,
    ends: deps.sessions.store,
    limiter: deps.limiter,
    trail: deps.trail,
    clock: deps.clock,
    log: deps.log,
    metrics: deps.metrics.registry,
  });
