import type { OrganizationId } from '@legate/ids';
import {
  AgentClientNotFound,
  AgentClientRecord,
  agentClientUrl,
  connectorsUrl,
  type ListedTools,
  listedToolsUrl,
  OrganizationNotFound,
} from '@legate/management-contract';
import type { OrganizationConnectors } from '../domain/connector-set.ts';
import { readOrganizationDocument } from './management-api-document.ts';

export type OrganizationAnswer =
  | {
      readonly kind: 'found';
      /** Undefined: the organization is suspended. */
      readonly connectors: OrganizationConnectors | undefined;
      readonly etag: string | undefined;
    }
  | { readonly kind: 'not_modified' }
  | { readonly kind: 'unknown' };

/** @throws {Error} if there is no response, or an invalid one; the message is our own text */
export type FetchOrganization = (
  organizationId: OrganizationId,
  etag: string | undefined,
) => Promise<OrganizationAnswer>;

/**
 * Sends `GET /internal/v1/organizations/{id}/connectors`.
 * @param deps.fetchAsHub sends the hub's workload token, and limits time and size
 */
export function createFetchOrganization(deps: {
  managementApiUrl: string;
  fetchAsHub: (url: string, init?: { headers?: Record<string, string> }) => Promise<Response>;
}): FetchOrganization {
  return async (organizationId, etag) => {
    const answer = await deps.fetchAsHub(connectorsUrl(deps.managementApiUrl, organizationId), {
      headers: { Accept: 'application/json', ...(etag !== undefined && { 'If-None-Match': etag }) },
    });
    if (answer.status === 304 && etag !== undefined) return { kind: 'not_modified' };
    const body: unknown = await answer.json().catch(() => undefined);
    // Any other 404 may come from a proxy or another service, and does not mean that the organization is unknown.
    if (answer.status === 404 && OrganizationNotFound.safeParse(body).success) return { kind: 'unknown' };
    if (answer.status !== 200) throw new Error(`management-api responded with status ${answer.status}`);
    return {
      kind: 'found',
      connectors: readOrganizationDocument(organizationId, body),
      etag: answer.headers.get('ETag') ?? undefined,
    };
  };
}

/**
 * Sends `GET /internal/v1/clients/{client_id}`.
 * @param deps.fetchAsHub as above
 */
export const createFetchAgentClient =
  (deps: {
    managementApiUrl: string;
    fetchAsHub: (url: string, init?: { headers?: Record<string, string> }) => Promise<Response>;
  }) =>
  /** @throws {Error} if there is no response, or an invalid one */
  async (clientId: string): Promise<AgentClientRecord | undefined> => {
    const answer = await deps.fetchAsHub(agentClientUrl(deps.managementApiUrl, clientId), {
      headers: { Accept: 'application/json' },
    });
    const body: unknown = await answer.json().catch(() => undefined);
    if (answer.status === 404 && AgentClientNotFound.safeParse(body).success) return undefined;
    if (answer.status !== 200) throw new Error(`management-api responded with status ${answer.status}`);
    const record = AgentClientRecord.safeParse(body);
    if (!record.success || record.data.client_id !== clientId)
      throw new Error('management-api responded without a client');
    return record.data;
  };

/**
 * Sends `POST /internal/v1/organizations/{id}/connectors/{connector_id}/listed-tools`.
 * @param deps.fetchAsHub as above
 */
export const createPostListedTools =
  (deps: {
    managementApiUrl: string;
    fetchAsHub: (
      url: string,
      init: { method: string; headers: Record<string, string>; body: string },
    ) => Promise<Response>;
  }) =>
  /** @throws {Error} if management-api did not accept the names, or is older than the hub */
  async (connector: { organizationId: string; id: string }, listed: ListedTools): Promise<void> => {
    const answer = await deps.fetchAsHub(listedToolsUrl(deps.managementApiUrl, connector), {
      method: 'POST',
      headers: { 'Content-Type': 'application/json', Accept: 'application/json' },
      body: JSON.stringify(listed),
    });
    await answer.body?.cancel();
    if (answer.status !== 204) throw new Error(`management-api responded with status ${answer.status}`);
  };
