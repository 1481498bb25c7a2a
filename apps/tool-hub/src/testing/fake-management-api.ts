import { hash } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';
import { createHttpClient } from '@legate/service';
import { createWorkloadFetch } from '@legate/workload';
import { createFetchAgentClient, createFetchOrganization } from '../connectors/management-api-client.ts';
import { type Handler, sendJson, startServer } from './http-server.ts';

export interface FakeManagementApi {
  readonly url: string;
  /** The documents of organizations; the ETag of each depends on its content. */
  readonly documents: Map<string, unknown>;
  /** Replaces every response. */
  misbehaviour: Handler | undefined;
  readonly requests: { readonly path: string; readonly headers: IncomingHttpHeaders }[];
  stop(): Promise<void>;
}

export async function startFakeManagementApi(): Promise<FakeManagementApi> {
  const server = await startServer((req, res, body) => {
    api.requests.push({ path: req.url ?? '', headers: req.headers });
    if (api.misbehaviour) return api.misbehaviour(req, res, body);
    const id = /^\/internal\/v1\/organizations\/([^/]+)\/connectors$/.exec(req.url ?? '')?.[1] ?? '';
    const document = api.documents.get(id);
    if (!document) return sendJson(res, 404, { code: 'organization_not_found' });
    const etag = `"${hash('sha256', JSON.stringify(document))}"`;
    if (req.headers['if-none-match'] === etag) return void res.writeHead(304, { ETag: etag }).end();
    sendJson(res, 200, document, { ETag: etag });
  });
  const api: FakeManagementApi = {
    url: server.url,
    documents: new Map(),
    misbehaviour: undefined,
    requests: [],
    stop: server.stop,
  };
  return api;
}

/** Returns a function that fetches an organization like a hub, with a fixed token. */
export function fetchOrganizationFrom(api: FakeManagementApi, options: { maxResponseBytes?: number } = {}) {
  const http = createHttpClient({ allow: ['loopback'], timeoutMs: 2000, ...options });
  const tokens = { get: async () => 'a-workload-token', drop: () => undefined };
  const asHub = { managementApiUrl: api.url, fetchAsHub: createWorkloadFetch({ tokens, fetch: http.fetch }) };
  return {
    fetchOrganization: createFetchOrganization(asHub),
    fetchAgentClient: createFetchAgentClient(asHub),
    close: () => http.dispatcher.destroy(),
  };
}

/** Returns a connector of org_acme in the form that management-api uses. */
export const connectorRecord = (id: string, resource: string) => ({
  id,
  organization_id: 'org_acme',
  name: id,
  resource_url: resource,
  auth_method: 'id-jag',
  service_kind: null,
  scopes: ['mcp:tools:read', 'mcp:tools:call'],
  client_id: 'hub-at-server',
  secret: 'hub-at-server-secret',
  secret_unreadable: false,
  acknowledge_legacy: false,
  metadata: null,
  version: '1',
});

export const organizationDocument = (
  connectors: readonly object[],
  rest: {
    agents?: readonly object[];
    roles?: Readonly<Record<string, string>>;
    removed_users?: readonly string[];
    denied_clients?: readonly object[];
    agent_policy?: string;
  } = {},
) => ({
  organization: { id: 'org_acme', status: 'active', agent_policy: rest.agent_policy ?? 'any' },
  connectors,
  agents: [],
  removed_users: [],
  ...rest,
});
