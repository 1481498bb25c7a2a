import type { Core } from './core.ts';
import { createUserRights } from './domain/user-rights.ts';
import { openAccounts } from './faces/accounts/open.ts';
import type { HubOperation } from './faces/api/operation.ts';
import { openAuthorization } from './faces/authorization/open.ts';
import { SCOPE } from './faces/authorization/terms.ts';
import { openDoctor } from './faces/doctor/open.ts';
import { openMcp } from './faces/mcp/open.ts';
import { descriptionOperations } from './faces/openapi/routes.ts';
import { openRevocations } from './faces/revocations/open.ts';
import { openTokenEndpoint } from './faces/token-endpoint/open.ts';
import { openTransactionTokens } from './faces/transaction-tokens/open.ts';
import type { Parts } from './parts.ts';
import type { Platform } from './platform/platform.ts';

/** Opens each face of the hub with what it needs from the others. */
export function openFaces(platform: Platform, parts: Parts, core: Core) {
  const { publicUrl } = platform;
  const { identityProvider, connectors, limits, authorizationServer, actorKeys, allowedOrigins } = parts;
  const { registry } = connectors;
  const { limiter, failures } = limits;
  const { trail, explanations } = parts.audit;
  const { endings, store: memory } = parts.sessions;
  const { access, accessForUsers, countRequest, calls, listMemory, recordUserAction, signIn } = core;
  const accounts = openAccounts(platform, parts.accounts, {
    ...{ identityProvider, calls, limits, recordUserAction },
    access: accessForUsers,
    verifyOwn: signIn.verifyOwn,
  });
  const authorization =
    authorizationServer &&
    openAuthorization(platform, authorizationServer, {
      ...{ accounts, identityProvider, registry, signIn, limits, recordUserAction },
    });
  const transactionTokens =
    parts.transactionTokens &&
    openTransactionTokens(platform, parts.transactionTokens, {
      identityProvider: identityProvider.issuer.issuer,
      isSubTheUser: identityProvider.kind.userClaim === 'sub',
      ends: parts.sessions.store,
      ...{ limiter, trail },
    });
  const rights = createUserRights(registry);
  const doctor = openDoctor(platform, {
    ...{ identityProvider, calls, rights, limiter, recordUserAction },
    access: accessForUsers,
    timeoutMs: parts.calls.listTimeoutMs,
  });
  return {
    accounts,
    authorization,
    tokenEndpoint: openTokenEndpoint(platform, {
      parts: [authorization?.part, transactionTokens],
      clientKeys: parts.clientKeys,
      ...{ actorKeys, failures },
    }),
    revocations: openRevocations(platform, {
      ...{ identityProvider, connectors, memory, calls, limiter },
      sessions: signIn.sessions,
      verifyWorkload: parts.verifyWorkload,
    }),
    agents: openMcp(platform, {
      ...{ allowedOrigins, signIn, endings, access, countRequest, calls, listMemory, trail },
      tokens: authorizationServer
        ? { issuer: publicUrl, scope: SCOPE }
        : { issuer: identityProvider.issuer.issuer, scope: 'openid' },
      limits: parts.calls,
      streams: parts.streams,
    }),
    api: {
      ...{ registry, signIn, endings, access, accessForUsers, countRequest, calls, rights, limiter, trail },
      ...{ explanations, recordUserAction },
      allowedOrigins: [new URL(publicUrl).origin, ...allowedOrigins],
      timeoutMs: parts.calls.toolCallTimeoutMs,
      others: [...doctor.operations, ...accounts.operations, ...(authorization?.operations ?? [])],
      describe: (operations: readonly HubOperation[]) => descriptionOperations(operations, { publicUrl }),
    },
  };
}
