import { createHttpClient, type Logger } from '@legate/service';
import { createServiceCalls } from '@legate/tool-server/services';
import { createWorkloadFetch, createWorkloadTokens } from '@legate/workload';
import type { SitesSettings } from './settings.ts';
import { createSites, type Sites } from './sites.ts';

/** Size of a page of 100 sites with 50 origins each, all of maximum length. */
const MAX_RESPONSE_BYTES = 2_097_152;

/**
 * Opens the sites of the management API, with a separate HTTP client: its responses may be larger than metadata
 * documents.
 */
export function openSites(
  settings: SitesSettings,
  deps: {
    config: { readonly OUTBOUND_ALLOW: readonly string[]; readonly CONNECT_TO: readonly string[] };
    clock: () => Date;
    log: Logger;
  },
): { readonly sites: Sites; close(): Promise<void> } {
  const { clock, log } = deps;
  const http = createHttpClient({
    allow: deps.config.OUTBOUND_ALLOW,
    connectTo: deps.config.CONNECT_TO,
    maxResponseBytes: MAX_RESPONSE_BYTES,
  });
  const { fetch } = http;
  const url = settings.MANAGEMENT_API_URL;
  const tokens = createWorkloadTokens({
    identity: {
      issuer: settings.IDP_ISSUER,
      clientId: settings.IDP_CLIENT_ID,
      credentials: { method: 'client_secret', clientSecret: settings.IDP_CLIENT_SECRET },
    },
    resource: url,
    scope: 'internal:transactions',
    fetch,
    clock,
  });
  const call = createServiceCalls({
    service: {
      tokenEndpoint: `${settings.TOOL_HUB_URL}/oauth/token`,
      clientId: settings.IDP_CLIENT_ID,
      clientSecret: settings.TRANSACTION_TOKEN_CLIENT_SECRET,
    },
    url,
    fetch,
    fetchAsWorkload: createWorkloadFetch({ tokens, fetch }),
  });
  return { sites: createSites({ call, log }), close: http.close };
}
