import { createCertificateConnections } from '@legate/delegation';
import { createHttpClient, createMemoryBudget, type Metrics, userAgentOf } from '@legate/service';
import type { PlatformSettings } from './settings.ts';

/**
 * Time-out of each metadata and token request. A delegation makes four of them in sequence while its caller waits. It is
 * shorter than the time after which other replicas stop waiting for the refresh of a session (sign-in/renewal.ts).
 */
export const PEER_TIMEOUT_MS = 5000;
/** Shares of the memory budget: four organizations fill it, and one user cannot fill an organization's (docs/adr/0041). */
const ORGANIZATION_PERCENT = 25;
const USER_PERCENT = 10;

/** Opens the hub's connections to other servers. */
export function openOutbound(
  settings: Pick<PlatformSettings, 'OUTBOUND_ALLOW' | 'CONNECT_TO' | 'PUBLIC_URL'> & {
    readonly MEMORY_BUDGET_MB: number;
  },
  deps: { clock: () => Date; metrics: Metrics },
) {
  const memory = createMemoryBudget({
    limitBytes: settings.MEMORY_BUDGET_MB * 1_048_576,
    organizationPercent: ORGANIZATION_PERCENT,
    userPercent: USER_PERCENT,
    metrics: deps.metrics.registry,
  });
  const http = createHttpClient({
    memory: memory.openOwn(),
    allow: settings.OUTBOUND_ALLOW,
    connectTo: settings.CONNECT_TO,
    timeoutMs: PEER_TIMEOUT_MS,
    userAgent: userAgentOf(settings.PUBLIC_URL),
  });
  const connections = createCertificateConnections({ open: http.withIdentity, clock: deps.clock });
  return {
    memory,
    http,
    connections,
    async close(): Promise<void> {
      await connections.close();
      await http.close();
    },
  };
}
