import type { RateLimiter } from '@legate/rate-limit';
import type { VerifyWorkload } from '@legate/workload';
import type { Router } from 'express';
import type { Calls } from '../../calls/open.ts';
import type { ConnectorChanges } from '../../connectors/changes.ts';
import type { ConnectorRegistry } from '../../domain/registry.ts';
import type { Platform } from '../../platform/platform.ts';
import type { IdentityProviderPart } from '../../sign-in/identity-provider.ts';
import type { LogoutTokenMemory } from '../../sign-in/logout-token-memory.ts';
import type { Sessions } from '../../sign-in/sessions.ts';
import { backChannelLogoutRoutes } from './logout.ts';
import { createRevocations } from './routes.ts';

/**
 * Opens the routes that end access from outside: `logoutRoutes` for the identity provider, and `routes` below
 * `/internal/v1` for services, each of which may revoke.
 */
export function openRevocations(
  { memory: budget, connections: certificates, clock, log }: Platform,
  parts: {
    identityProvider: Pick<IdentityProviderPart, 'issuer' | 'acceptedAudiences' | 'hubClient' | 'kind'>;
    connectors: ConnectorChanges & { readonly registry: ConnectorRegistry };
    sessions: Sessions;
    /** Records logout tokens that have been used */
    memory: LogoutTokenMemory;
    calls: Pick<Calls, 'cache' | 'accounts'>;
    limiter: RateLimiter;
    verifyWorkload: VerifyWorkload | undefined;
  },
): { readonly logoutRoutes: Router; readonly routes: Router | undefined } {
  const { sessions, memory, limiter, verifyWorkload } = parts;
  const { issuer, acceptedAudiences, hubClient, kind } = parts.identityProvider;
  const { registry, announce, announceChange } = parts.connectors;
  const { cache, accounts } = parts.calls;
  return {
    logoutRoutes: backChannelLogoutRoutes({
      issuer,
      userClaim: kind.userClaim,
      audiences: [...new Set([...acceptedAudiences, hubClient.clientId])],
      ...{ memory, budget, sessions, cache, clock, log },
    }),
    routes:
      verifyWorkload &&
      createRevocations({
        ...{ verifyWorkload, sessions, cache, registry, certificates, announce, announceChange },
        connections: accounts.connections,
        ...{ limiter, clock, log },
      }),
  };
}
