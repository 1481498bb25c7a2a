import { createRecordUserAction } from './audit/user-event.ts';
import { openCalls } from './calls/open.ts';
import { createConnectorAccess } from './connectors/access.ts';
import { PENDING_SECONDS } from './faces/authorization/terms.ts';
import { createListMemory } from './faces/mcp/list-memory.ts';
import { resourceOf } from './faces/mcp/metadata.ts';
import { openRequestCounter } from './limits/open.ts';
import type { Parts } from './parts.ts';
import type { Platform } from './platform/platform.ts';
import { openSignIn } from './sign-in/open.ts';

/** What the faces of a hub share: authentication, access to connectors, and calls. */
export type Core = ReturnType<typeof openCore>;

export function openCore(platform: Platform, parts: Parts) {
  const { clock, metrics } = platform;
  const { identityProvider, sessions, limits, authorizationServer } = parts;
  const { registry, requireAgent, noteListed = () => undefined } = parts.connectors;
  const { trail } = parts.audit;
  const { endings } = sessions;
  const recordUserAction = createRecordUserAction({ trail, clock });
  const signIn = openSignIn(platform, {
    ...{ identityProvider, sessions, registry, recordUserAction },
    clients: authorizationServer && {
      backend: authorizationServer.backend,
      mcpResource: resourceOf(platform.publicUrl, undefined),
      sessionLifetimeSeconds: authorizationServer.sessionLifetimeSeconds,
      sessionIdleSeconds: authorizationServer.sessionIdleSeconds,
      pendingSeconds: PENDING_SECONDS,
      takesIdTokens: authorizationServer.takesIdTokens,
    },
  });
  const listMemory = createListMemory({ clock, metrics: metrics.registry });
  endings.onEnd(listMemory.end);
  endings.onEnd(parts.streams.onEnded);
  const calls = openCalls(platform, {
    ...{ identityProvider, signIn, trail },
    limits: parts.calls,
    actorKeys: parts.actorKeys,
    connectionSeconds: parts.accounts.ttlSeconds,
    onListed: noteListed,
    onListChanged: listMemory.change,
  });
  endings.onCancelled(calls.mcp.endSessions);
  return {
    recordUserAction,
    signIn,
    listMemory,
    calls,
    access: createConnectorAccess({ registry, agents: requireAgent ? 'required' : 'by_policy' }),
    // Connecting an account and running the doctor need no agent.
    accessForUsers: createConnectorAccess({ registry, agents: 'optional' }),
    countRequest: openRequestCounter(platform, limits, registry),
    close: () => calls.mcp.close(),
  };
}
