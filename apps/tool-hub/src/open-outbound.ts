import { type CertificateConnections, createCertificateConnections } from '@legate/delegation';
import {
  createHttpClient,
  createMemoryBudget,
  type HttpClient,
  type MemoryBudget,
  type Metrics,
} from '@legate/service';
import type { Config } from './config.ts';

/**
 * For each request for metadata, and for each one to a token endpoint. A delegation makes four of them, one after the other,
 * while its caller waits.
 */
export const PEER_TIMEOUT_MS = 5000;
/** Shares of the memory budget: four organizations fill it, and one user cannot fill an organization's (docs/adr/0041). */
const ORGANIZATION_PERCENT = 25;
const USER_PERCENT = 10;

export interface Outbound {
  /** Memory for requests; responses of peers count as well */
  readonly memory: MemoryBudget;
  readonly http: HttpClient;
  /** For connectors with a client certificate */
  readonly connections: CertificateConnections;
  close(): Promise<void>;
}

/** The hub's connections to its peers. */
export function openOutbound(config: Config, deps: { clock: () => Date; metrics: Metrics }): Outbound {
  const memory = createMemoryBudget({
    limitBytes: config.MEMORY_BUDGET_MB * 1_048_576,
    organizationPercent: ORGANIZATION_PERCENT,
    userPercent: USER_PERCENT,
    metrics: deps.metrics.registry,
  });
  const http = createHttpClient({
    memory: memory.openOwn(),
    allow: config.OUTBOUND_ALLOW,
    connectTo: config.CONNECT_TO,
    timeoutMs: PEER_TIMEOUT_MS,
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
