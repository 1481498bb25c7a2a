import type { VerifyWorkload } from '@legate/workload';
import type { RequestHandler, Router } from 'express';
import { type AccountsFace, createAccountsFace } from '../faces/accounts/feature.ts';
import { createAgentFace } from '../faces/mcp/agent-face.ts';
import { createRevocations } from '../faces/revocations/feature.ts';
import { backChannelLogoutRoutes } from '../faces/revocations/logout.ts';
import {
  createTransactionTokens,
  type TransactionTokensOptions,
} from '../faces/transaction-tokens/feature.ts';
import { authenticate } from '../sign-in/authenticate.ts';
import type { AppDependencies } from './app-dependencies.ts';
import type { Core } from './core.ts';

export function accountsFace(deps: AppDependencies, core: Core): AccountsFace {
  const { connections, clientOf, discover, returnTo, ttlSeconds } = core.connecting;
  return createAccountsFace({
    publicUrl: deps.publicUrl,
    returnTo,
    ttlSeconds,
    connections,
    clientOf,
    discover,
    identityProvider: deps.identityProvider,
    access: core.access,
    cache: core.cache,
    store: deps.store,
    limiter: deps.limiter,
    noteDeed: core.noteDeed,
    noteUse: core.records['oauth-pkce'].write,
    fetch: deps.http.fetch,
    clock: deps.clock,
    log: deps.log,
  });
}

export const agentFace = (deps: AppDependencies, core: Core): RequestHandler =>
  createAgentFace({
    publicUrl: deps.publicUrl,
    issuer: deps.issuer.issuer,
    allowedOrigins: deps.allowedOrigins,
    authenticate: authenticate(core.signIn.verifyCaller, 'mcp', deps.memory),
    admit: core.admit,
    watch: deps.sessions.endings.watch,
    access: core.access,
    trail: deps.trail,
    send: core.calls.send,
    readList: core.calls.readList,
    callTool: core.calls.callTool,
    known: core.calls.known,
    memory: core.listMemory,
    encryptionKeys: deps.encryptionKeys,
    clock: deps.clock,
    toolCallTimeoutMs: deps.toolCallTimeoutMs,
    listTimeoutMs: deps.listTimeoutMs,
    log: deps.log,
    metrics: deps.metrics.registry,
  });

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
    connections: core.connecting.connections,
    registry: deps.registry,
    certificates: deps.connections,
    announce: deps.announce,
    limiter: deps.limiter,
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
