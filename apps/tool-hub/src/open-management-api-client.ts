import { createHttpClient } from '@legate/service';
import { createWorkloadFetch, createWorkloadTokens } from '@legate/workload';
import type { Config } from './config.ts';
import { hubCredentials } from './hub-credentials.ts';

/**
 * management-api, as the hub asks it by its own name.
 * @param options.scope of the hub's token there
 */
export function openManagementApi(
  config: Config,
  managementApiUrl: string,
  options: { scope: string; timeoutMs: number; maxResponseBytes: number; clock: () => Date },
) {
  const { scope, timeoutMs, maxResponseBytes, clock } = options;
  const http = createHttpClient({
    allow: config.OUTBOUND_ALLOW,
    connectTo: config.CONNECT_TO,
    timeoutMs,
    maxResponseBytes,
  });
  const tokens = createWorkloadTokens({
    identity: {
      issuer: config.IDP_ISSUER,
      clientId: config.IDP_CLIENT_ID,
      credentials: hubCredentials(config),
    },
    resource: config.MANAGEMENT_API_RESOURCE ?? managementApiUrl,
    scope,
    fetch: http.fetch,
    clock,
  });
  return { fetchAsHub: createWorkloadFetch({ tokens, fetch: http.fetch }), close: http.close };
}
