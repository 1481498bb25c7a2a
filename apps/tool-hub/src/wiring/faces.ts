import { Counter } from '@legate/service';
import type { VerifyWorkload } from '@legate/workload';
import { Router } from 'express';
import { createBrowserCookie } from '../faces/accounts/browser-cookie.ts';
import { browserRoutes } from '../faces/accounts/browser-routes.ts';
import { clientDocumentRoutes } from '../faces/accounts/client-document.ts';
import { createConnectedAccounts } from '../faces/accounts/connected-accounts.ts';
import { createConsentFlow } from '../faces/accounts/consent-flow.ts';
import { createPartnersOf } from '../faces/accounts/consent-partners.ts';
import { createKeepConsent } from '../faces/accounts/keep-consent.ts';
import { connectionRoutes } from '../faces/accounts/routes.ts';
import { createUserSignIn } from '../faces/accounts/user-sign-in.ts';
import { createAgentSessions } from '../faces/mcp/agent-sessions.ts';
import { createAgentList } from '../faces/mcp/lists.ts';
import { createMetadataRoutes } from '../faces/mcp/metadata.ts';
import { createAnswerAgent } from '../faces/mcp/methods.ts';
import { createRequestStates } from '../faces/mcp/request-state.ts';
import { createMcpRoutes } from '../faces/mcp/routes.ts';
import { createRevocations } from '../faces/revocations/feature.ts';
import { backChannelLogoutRoutes } from '../faces/revocations/logout.ts';
import {
  createTransactionTokens,
  type TransactionTokensOptions,
} from '../faces/transaction-tokens/feature.ts';
import { authenticate } from '../sign-in/authenticate.ts';
import type { AppDependencies } from './app-dependencies.ts';
import type { Core } from './core.ts';

/**
 * The routes where users connect accounts: `apiRoutes` below `/api/v1`, with the user's ID token; `publicRoutes` below
 * `/oauth`, for browsers, and for authorization servers that read the client metadata.
 */
export function accountsFace(deps: AppDependencies, core: Core) {
  const { publicUrl, identityProvider, store, limiter, clock, log } = deps;
  const { access, cache, noteDeed, records } = core;
  const { connections, clientOf, discover } = core.connections;
  const { returnTo, ttlSeconds } = core.connectOptions;
  const { fetch } = deps.http;
  const consentFlow = createConsentFlow({
    connections,
    partnersOf: createPartnersOf({ access, discover, clientOf, fetch }),
    keep: createKeepConsent({ connections, noteUse: records['oauth-pkce'].write, ttlSeconds, clock }),
    discover,
    clientOf,
    userSignIn: createUserSignIn({ identityProvider, redirectUri: `${publicUrl}/oauth/callback` }),
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
  const cookie = createBrowserCookie({ secure: publicUrl.startsWith('https:') });
  return {
    apiRoutes: connectionRoutes({ access, consentFlow, accounts, limiter, returnTo }),
    publicRoutes: Router().use(
      clientDocumentRoutes({ publicUrl }),
      browserRoutes({ consentFlow, cookie, log }),
    ),
  };
}

/** `/mcp`, `/mcp/{connector_id}`, and what says where to get a token for them. */
export function agentFace(deps: AppDependencies, { access, admit, calls, listMemory, signIn }: Core): Router {
  const { publicUrl, allowedOrigins, encryptionKeys: keys, trail, clock, log } = deps;
  const { readList, callTool, send, known } = calls;
  return Router().use(
    createMcpRoutes({
      publicUrl,
      allowedOrigins,
      authenticate: authenticate(signIn.verifyCaller, 'mcp', deps.memory),
      admit,
      watch: deps.sessions.endings.watch,
      access,
      sessions: createAgentSessions({ keys, clock }),
      answerAgent: createAnswerAgent({
        list: createAgentList({ readList, memory: listMemory, timeoutMs: deps.listTimeoutMs, clock, log }),
        callTool,
        send,
        known,
        states: createRequestStates({ keys, clock }),
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
    createMetadataRoutes({ publicUrl, issuer: deps.issuer.issuer }),
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
    limiter: deps.limiter,
    clock: deps.clock,
    log: deps.log,
  });

export const transactionTokenRoutes = (deps: AppDependencies, options: TransactionTokensOptions): Router =>
  createTransactionTokens({
    ...options,
    issuer: deps.publicUrl,
    identityProvider: deps.issuer.issuer,
    ends: deps.sessions.store,
    limiter: deps.limiter,
    memory: deps.memory,
    trail: deps.trail,
    clock: deps.clock,
    log: deps.log,
    metrics: deps.metrics.registry,
  });
