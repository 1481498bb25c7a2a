import { AUDIT_EVENTS, INTERNAL_PATH, type OrganizationDocumentInput } from '@legate/management-contract';
import { type Handler, sendJson, startServer } from '@legate/service/testing';

/** The part of management-api that a hub needs: organizations with connectors, and the audit trail. */
export interface FakeManagementApi {
  readonly url: string;
  /** Requests per minute, by organization; each has all connectors. */
  readonly organizations: Map<string, number>;
  /** Ids of their servers' URLs */
  readonly connectors: Map<string, string>;
  /** Refuses audit events while it is set. */
  isAway: boolean;
  /** Accepted audit events, and their details */
  readonly events: Map<string, { readonly organization: string; readonly details: Record<string, unknown> }>;
  stop(): Promise<void>;
}

const ORGANIZATION = /^\/internal\/v1\/organizations\/([^/]+)\/connectors$/;

export async function startFakeManagementApi(options: {
  clientId: string;
  clientSecret: string;
}): Promise<FakeManagementApi> {
  const recordOf = (organizationId: string, [id, url]: [string, string]) => ({
    ...{ id, organization_id: organizationId, name: id, resource_url: url, auth_method: 'id-jag' },
    ...{ scopes: ['tools'], client_id: options.clientId, secret: options.clientSecret },
    secret_unreadable: false,
  });

  const sendOrganization = (id: string, res: Parameters<Handler>[1]): void => {
    const limit = fake.organizations.get(id);
    if (limit === undefined) {
      sendJson(res, 404, { code: 'organization_not_found' });
      return;
    }
    const document: OrganizationDocumentInput = {
      organization: { id, status: 'active', plan: 'custom', requests_per_minute: limit },
      connectors: [...fake.connectors].map((connector) => recordOf(id, connector)),
      agents: [],
      removed_users: [],
    };
    sendJson(res, 200, document);
  };

  const takeEvents = (body: string, res: Parameters<Handler>[1]): void => {
    if (fake.isAway) {
      sendJson(res, 503, {});
      return;
    }
    const { events } = JSON.parse(body) as {
      events: { id: string; organization_id: string; details: Record<string, unknown> }[];
    };
    for (const { id, organization_id: organization, details } of events)
      fake.events.set(id, { organization, details });
    sendJson(res, 200, { accepted: events.length, known: 0, refused: [] });
  };

  const server = await startServer((req, res, body) => {
    const organizationId = ORGANIZATION.exec(req.url ?? '')?.[1];
    if (organizationId !== undefined) return sendOrganization(organizationId, res);
    if (req.url === `${INTERNAL_PATH}${AUDIT_EVENTS.route}`) return takeEvents(body, res);
    sendJson(res, 404, {});
  });
  const fake: FakeManagementApi = {
    url: server.url,
    organizations: new Map(),
    connectors: new Map(),
    isAway: false,
    events: new Map(),
    stop: server.stop,
  };
  return fake;
}
