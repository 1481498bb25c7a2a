import {
  type CertificateConnections,
  createIdJagMethod,
  createPassthroughMethod,
  createServiceMethod,
  createToolServerDiscovery,
  createUserPolicy,
  type IdentityProvider,
  type IdJagOrganization,
  type Methods,
  type Pause,
} from '@legate/delegation';
import type { HttpClient, Logger, Metrics } from '@legate/service';
import { withTimeout } from '../resilience/with-timeout.ts';
import { createMeasureLeg } from './measure-leg.ts';

/** Creates the ways to act at a connector. */
export function createMethods(deps: {
  oauthPkce: Methods['oauth-pkce'];
  identityProvider: () => Promise<IdentityProvider>;
  idJagOrganization: IdJagOrganization;
  certificates: CertificateConnections;
  http: Pick<HttpClient, 'fetch'>;
  /** For each request of discovery, and each one at a connector's token endpoint */
  discoveryTimeoutMs: number;
  tokenTimeoutMs: number;
  clock: () => Date;
  pause: Pause;
  log: Logger;
  metrics: Metrics;
}): Methods {
  const { identityProvider, idJagOrganization, http, clock, pause, log } = deps;
  return {
    'id-jag': createIdJagMethod({
      identityProvider,
      idJagOrganization,
      discover: createToolServerDiscovery({ fetch: withTimeout(http.fetch, deps.discoveryTimeoutMs), clock }),
      policy: createUserPolicy({ identityProvider, clock }),
      fetch: withTimeout(http.fetch, deps.tokenTimeoutMs),
      clock,
      pause,
      measureLeg: createMeasureLeg(deps.metrics),
    }),
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
    service: createServiceMethod({ connections: deps.certificates }),
    'oauth-pkce': deps.oauthPkce,
  };
}
