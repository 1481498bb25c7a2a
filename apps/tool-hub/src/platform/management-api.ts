import { createHttpClient } from '@legate/service';
import { createWorkloadFetch, createWorkloadTokens } from '@legate/workload';
import { openHubClient } from './hub-client.ts';
import type { HubCredentialSettings } from './hub-credentials.ts';
import type { PlatformSettings } from './settings.ts';

export type ManagementApi = NonNullable<ReturnType<typeof openManagementApi>>;

type Settings = Pick<PlatformSettings, 'OUTBOUND_ALLOW' | 'CONNECT_TO'> &
  HubCredentialSettings & {
    readonly IDP_ISSUER: string;
    readonly IDP_CLIENT_ID: string;
    readonly MANAGEMENT_API_URL?: string | undefined;
    readonly MANAGEMENT_API_RESOURCE?: string | undefined;
  };

/**
 * Opens a client of management-api with the hub's own identity.
 * @returns undefined if there is no management-api
 */
export function openManagementApi(settings: Settings, clock: () => Date) {
  const { MANAGEMENT_API_URL: url } = settings;
  if (url === undefined) return undefined;
  return {
    /**
     * Opens a separate HTTP client for one use.
     * @param options.scope scope of the hub's token for this use
     */
    open(options: { scope: string; timeoutMs: number; maxResponseBytes: number }) {
      const { scope, timeoutMs, maxResponseBytes } = options;
      const http = createHttpClient({
        allow: settings.OUTBOUND_ALLOW,
        connectTo: settings.CONNECT_TO,
        timeoutMs,
        maxResponseBytes,
      });
      const { clientId, clientAuth: credentials, ...hub } = openHubClient(settings, { http, clock });
      const tokens = createWorkloadTokens({
        identity: { issuer: settings.IDP_ISSUER, clientId, credentials },
        resource: settings.MANAGEMENT_API_RESOURCE ?? url,
        scope,
        fetch: hub.fetch,
        clock,
      });
      return {
        managementApiUrl: url,
        fetchAsHub: createWorkloadFetch({ tokens, fetch: http.fetch }),
        async close(): Promise<void> {
          await Promise.all([hub.close(), http.close()]);
        },
      };
    },
  };
}
