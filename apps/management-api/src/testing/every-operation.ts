import { randomUUID } from 'node:crypto';
import type { Response } from 'supertest';
import type { Role } from '../domain/rights.ts';
import type { Client, Method } from './client.ts';
import type { ApiDocument, DescribedOperation } from './contract.ts';
import type { TestApi } from './test-api.ts';

/** Ids of existing resources, by the name of their path parameter. */
export type Ids = Readonly<Record<string, string>>;

/**
 * Creates one resource of each kind in the organization of `owner`, linked with each other, and returns their
 * ids.
 */
export async function createOneOfEach(api: TestApi, organizationId: string, owner: Client): Promise<Ids> {
  const create = async (path: string, body: object): Promise<string> => {
    const answer = await owner('post', path, body);
    if (answer.status !== 201) throw new Error(`POST ${path}: ${answer.status} ${answer.text}`);
    return answer.body.id;
  };
  const site_id = await create('/sites', { name: 'Portal', allowed_origins: [ORIGIN] });
  const agent_id = await create('/agents', { name: 'Support' });
  const connector_id = await create('/connectors', {
    name: 'Billing',
    resource_url: RESOURCE_URL,
    client_id: 'hub',
    fallback: ['oauth-pkce'],
    secret: 'the-secret-of-the-hub',
    enabled: false,
  });
  const domain_id = await create('/domains', { domain: `${randomUUID()}.example.com` });
  const service_account_id = await create('/service-accounts', { name: 'CI', role: 'developer' });
  const key_id = await create(`/service-accounts/${service_account_id}/keys`, {
    name: 'CI',
    scopes: ['sites:read'],
  });
  const agent_client_id = await create(`/agents/${agent_id}/clients`, {
    client_id: 'https://editor.example/client.json',
  });
  await owner('put', `/sites/${site_id}/agents/${agent_id}`);
  await owner('put', `/agents/${agent_id}/connectors/${connector_id}`);
  const member_id = `mem_${randomUUID()}`;
  await api.database.asOwner((database) =>
    database.query(
      "INSERT INTO members (organization_id, user_id, id, role) VALUES ($1, $2::text, $2::text, 'developer')",
      [organizationId, member_id],
    ),
  );
  await owner('post', `/members/${member_id}/deactivate`);
  await owner('post', `/members/${member_id}/reinstate`);
  const invitation_id = await create('/invitations', { email: `${randomUUID()}@a.example`, role: 'viewer' });
  api.advanceSeconds(60); // so that an invitation can be sent again
  const ended = await owner('get', '/audit-events?action=member.deactivated');
  const revocation_id = String(ended.body.data[0].id).replace(/^evt_/, 'rev_');
  const events = await owner('get', '/audit-events');
  const event_id = events.body.data[0].id;
  const client_id = 'another-app'; // any client: it is not a resource of the organization
  const things = {
    site_id,
    agent_id,
    agent_client_id,
    connector_id,
    domain_id,
    service_account_id,
    key_id,
    invitation_id,
  };
  return { ...things, member_id, event_id, revocation_id, client_id };
}

export const RESOURCE_URL = 'https://mcp.acme.com/billing';
const ORIGIN = 'https://portal.acme.com';

/** Query and body of operations that need more than a path. The bodies are valid and change something. */
const REQUESTS: Readonly<Record<string, { query?: Record<string, string>; body?: object }>> = {
  updateOrganization: { body: { name: 'Another' } },
  deleteOrganization: { query: { confirm: 'Another' } },
  putConsent: { body: { decision: 'deny' } },
  updateMember: { body: { role: 'viewer' } },
  createInvitation: { body: { email: 'new@acme.example', role: 'viewer' } },
  revokeUser: { body: { user_id: 'user_anybody' } },
  denyUser: { body: { user_id: 'user_denied' } },
  createSite: { body: { name: 'New' } },
  updateSite: { body: { name: 'Another' } },
  addSiteOrigin: { body: { origin: 'https://another.acme.com' } },
  removeSiteOrigin: { query: { origin: ORIGIN } },
  checkSiteOrigin: { body: { origin: ORIGIN } },
  putSiteAgent: { body: { is_default: true } },
  createAgent: { body: { name: 'New' } },
  updateAgent: { body: { name: 'Another', status: 'active' } },
  deleteAgent: { query: { force: 'true' } },
  putAgentConnector: { body: { tools: [] } },
  createAgentClient: { body: { client_id: 'https://another.example/client.json' } },
  createConnector: {
    body: { name: 'New', resource_url: 'https://new.acme.com', client_id: 'hub', enabled: false },
  },
  updateConnector: { body: { name: 'Another' } },
  putConnectorSecret: { body: { secret: 'another-secret-of-the-hub' } },
  createServiceAccount: { body: { name: 'New', role: 'viewer' } },
  confirmClient: { body: { confirmation: 'lgc_none' } },
  putServiceAccountClient: { body: { subject: 'a-client' } },
  createApiKey: { body: { name: 'New', scopes: ['sites:read'] } },
  updateServiceAccount: { body: { name: 'Another' } },
  exportAuditEvents: { query: { format: 'csv' } },
  addDomain: { body: { domain: 'new.example.com' } },
};

export interface DescribedCall extends DescribedOperation {
  readonly 'x-legate-minimum-role'?: Role;
  readonly 'x-legate-while-suspended'?: 'owner' | 'admin';
  readonly 'x-legate-takes-rights-away'?: 'always' | 'depending-on-the-body';
  readonly method: Method;
  readonly path: string;
  /** Names of the parameters of the path */
  readonly parameterNames: readonly string[];
}

export function operationsOf(document: ApiDocument): DescribedCall[] {
  return Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({
      ...operation,
      path,
      method: method as Method,
      parameterNames: [...path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name),
    })),
  );
}

/** Calls an operation with these ids and its required input. */
export function call(client: Client, operation: DescribedCall, ids: Ids): Promise<Response> {
  const { operationId, method, path, parameterNames, requestBody, parameters } = operation;
  const missing = parameterNames.filter((name) => ids[name] === undefined);
  if (missing.length > 0) throw new Error(`${operationId}: let createOneOfEach make a thing for ${missing}`);
  const { query, body } = REQUESTS[operationId] ?? {};
  if (requestBody?.required && !body) throw new Error(`${operationId}: add a valid body to REQUESTS`);
  const unsent = parameters.filter(
    ({ name = '', in: place, required }) => place === 'query' && required && query?.[name] === undefined,
  );
  if (unsent.length > 0) throw new Error(`${operationId}: add a valid query to REQUESTS`);
  const search = query ? `?${new URLSearchParams(query)}` : '';
  return client(method, path.replace(/\{(\w+)\}/g, (_, name) => ids[name] ?? '') + search, body);
}
