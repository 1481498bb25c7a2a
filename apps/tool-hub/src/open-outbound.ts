import {
  createHttpClient,
  createMemoryBudget,
  type HttpClient,
  type MemoryBudget,
  type Metrics,
} from '@legate/service';
import type { Config } from './config.ts';
import {
  type CertificateConnections,
  createCertificateConnections,
} from './delegation/methods/certificate-connections.ts';

export interface Outbound {
  /** What requests may keep in memory; the answers of peers count as well */
  readonly memory: MemoryBudget;
  readonly http: HttpClient;
  /** For connectors with a client certificate */
  readonly connections: CertificateConnections;
  close(): Promise<void>;
}

/** How the hub reaches its peers. */
export function openOutbound(config: Config, deps: { clock: () => Date; metrics: Metrics }): Outbound {
  const memory = createMemoryBudget({
    limitBytes: config.MEMORY_BUDGET_MB * 1_048_576,
    organizationPercent: config.MEMORY_ORGANIZATION_SHARE_PERCENT,
    userPercent: config.MEMORY_USER_SHARE_PERCENT,
    metrics: deps.metrics.registry,
  });
  const http = createHttpClient({
    memory: memory.openOwn(),
    allow: config.OUTBOUND_ALLOW,
    connectTo: config.CONNECT_TO,
    timeoutMs: Math.max(config.DISCOVERY_TIMEOUT_SECONDS, config.TOKEN_TIMEOUT_SECONDS) * 1000,
  });
  const connections = createCertificateConnections({ open: http.dispatcherWith, clock: deps.clock });
  return {
    memory,
    http,
    connections,
    async close() {
      await connections.close();
      await http.close();
    },
  };
}
