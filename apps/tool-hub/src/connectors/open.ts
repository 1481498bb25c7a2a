import { CONNECTORS } from '@legate/management-contract';
import { Counter, failingGauge } from '@legate/service';
import type { FetchAgentClient } from '../oauth-clients/agent-clients.ts';
import type { ManagementApi } from '../platform/management-api.ts';
import type { Platform } from '../platform/platform.ts';
import { readConnectorsFile } from './connectors-document.ts';
import { createNoteListed, type NoteListed } from './listed-tools.ts';
import {
  createFetchAgentClient,
  createFetchOrganization,
  createPostListedTools,
} from './management-api-client.ts';
import { createManagementApiRegistry, type ManagementApiRegistry } from './management-api-registry.ts';
import type { ConnectorsSettings } from './settings.ts';

export interface OpenRegistry extends ManagementApiRegistry {
  readonly noteListed: NoteListed;
  /** Undefined: organizations can register no clients. */
  readonly fetchAgentClient: FetchAgentClient | undefined;
  close(): Promise<void>;
}

/** Time-out that is short because a call waits for the response, and long enough for thousands of connectors. */
const TIMEOUT_MS = 3000;
const MAX_DOCUMENT_BYTES = 16_777_216;

/**
 * Opens the connectors of a deployment, from management-api or a JSON file.
 * @throws {ConfigError} if the file cannot be used
 */
export function openRegistry(
  { clock, log, metrics }: Platform,
  settings: Pick<ConnectorsSettings, 'CONNECTORS_FILE'>,
  deps: {
    /** Undefined: the connectors are in a file. */
    managementApi: ManagementApi | undefined;
    env: NodeJS.ProcessEnv;
    production: boolean;
  },
): OpenRegistry {
  if (!deps.managementApi) {
    const registry = readConnectorsFile(settings.CONNECTORS_FILE ?? '', deps);
    return {
      ...registry,
      noteListed: () => undefined,
      fetchAgentClient: undefined,
      recheck: () => undefined,
      close: async () => undefined,
    };
  }
  const managementApi = deps.managementApi.open({
    scope: CONNECTORS.scope,
    timeoutMs: TIMEOUT_MS,
    maxResponseBytes: MAX_DOCUMENT_BYTES,
  });
  const events = new Counter({
    name: 'connector_registry_total',
    help: "Requests to management-api for an organization's connectors, by outcome, and uses of stale connectors",
    labelNames: ['event'],
    registers: [metrics.registry],
  });
  for (const event of ['failed', 'stale']) events.inc({ event }, 0);
  const failing = failingGauge(metrics.registry, {
    name: 'connector_registry_failing',
    help: '1 while management-api does not respond to requests for connectors',
    clock,
  });
  const registry = createManagementApiRegistry({
    fetchOrganization: createFetchOrganization(managementApi),
    clock,
    log,
    onEvent(event) {
      events.inc({ event });
      if (event === 'failed') failing.failed();
      else if (event !== 'stale') failing.worked();
    },
  });
  const noteListed = createNoteListed({
    post: createPostListedTools(managementApi),
    clock,
  });
  const fetchAgentClient = createFetchAgentClient(managementApi);
  return { ...registry, noteListed, fetchAgentClient, close: managementApi.close };
}
