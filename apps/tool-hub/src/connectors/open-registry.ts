import { Counter, createHttpClient, type Logger, type Registry } from '@legate/service';
import { createWorkloadFetch, createWorkloadTokens } from '@legate/workload';
import type { Config } from '../config.ts';
import { readConnectorsFile } from './file-registry.ts';
import { createFetchOrganization } from './management-api-client.ts';
import { createManagementApiRegistry, type ManagementApiRegistry } from './management-api-registry.ts';

export interface OpenRegistry extends ManagementApiRegistry {
  close(): Promise<void>;
}

/** A call waits for it, so it must not wait long; an organization may have thousands of connectors. */
const TIMEOUT_MS = 3000;
const MAX_DOCUMENT_BYTES = 16_777_216;

/**
 * The connectors of a deployment: those of management-api, or of a JSON file.
 * @throws {ConfigError} the file cannot be used
 */
export function openRegistry(
  config: Config,
  deps: {
    env: NodeJS.ProcessEnv;
    production: boolean;
    clock: () => Date;
    log: Logger;
    metrics: Registry;
  },
): OpenRegistry {
  const { clock, log } = deps;
  if (config.MANAGEMENT_API_URL === undefined) {
    const registry = readConnectorsFile(config.CONNECTORS_FILE ?? '', deps);
    return { ...registry, recheck: () => undefined, close: async () => undefined };
  }
  const http = createHttpClient({
    allow: config.OUTBOUND_ALLOW,
    connectTo: config.CONNECT_TO,
    timeoutMs: TIMEOUT_MS,
    maxResponseBytes: MAX_DOCUMENT_BYTES,
  });
  const tokens = createWorkloadTokens({
    identity: {
      issuer: config.IDP_ISSUER,
      clientId: config.IDP_CLIENT_ID,
      clientSecret: config.IDP_CLIENT_SECRET,
      authMethod: config.IDP_TOKEN_ENDPOINT_AUTH_METHOD,
    },
    resource: config.MANAGEMENT_API_RESOURCE ?? config.MANAGEMENT_API_URL,
    scope: 'internal:connectors',
    fetch: http.fetch,
    clock,
  });
  const events = new Counter({
    name: 'connector_registry_total',
    help: 'Questions to management-api for the connectors of an organization by outcome, and uses of stale ones',
    labelNames: ['event'],
    registers: [deps.metrics],
  });
  const registry = createManagementApiRegistry({
    fetchOrganization: createFetchOrganization({
      managementApiUrl: config.MANAGEMENT_API_URL,
      fetchAsHub: createWorkloadFetch({ tokens, fetch: http.fetch }),
    }),
    clock,
    log,
    onEvent: (event) => events.inc({ event }),
  });
  return { ...registry, close: http.close };
}
