/** Base path of endpoints that only the other service may call. */
export const INTERNAL_PATH = '/internal/v1';

/**
 * An endpoint below `INTERNAL_PATH`.
 * @see docs/adr/0019-workloads-and-revocation.md for the tokens that these scopes are in
 */
interface Endpoint {
  /** The path as an Express pattern */
  readonly route: string;
  /** Required in the caller's workload token */
  readonly scope: string;
}

/** `GET`, at the management API: an `OrganizationDocument`, with an ETag. */
export const CONNECTORS = {
  route: '/organizations/:id/connectors',
  scope: 'internal:connectors',
} as const satisfies Endpoint;

export const connectorsUrl = (managementApiUrl: string, organizationId: string): string =>
  `${managementApiUrl}${INTERNAL_PATH}/organizations/${encodeURIComponent(organizationId)}/connectors`;

/** `POST`, at the management API: `ListedTools`, names of tools that a connector has listed. 204. */
export const LISTED_TOOLS = {
  route: '/organizations/:id/connectors/:connector_id/listed-tools',
  scope: CONNECTORS.scope,
} as const satisfies Endpoint;

export const listedToolsUrl = (
  managementApiUrl: string,
  connector: { readonly organizationId: string; readonly id: string },
): string =>
  `${connectorsUrl(managementApiUrl, connector.organizationId)}/${encodeURIComponent(connector.id)}/listed-tools`;

/** `GET`, at the management API: an `AgentClientRecord`. */
export const AGENT_CLIENTS = {
  route: '/clients/:client_id',
  scope: CONNECTORS.scope,
} as const satisfies Endpoint;

export const agentClientUrl = (managementApiUrl: string, clientId: string): string =>
  `${managementApiUrl}${INTERNAL_PATH}/clients/${encodeURIComponent(clientId)}`;

/** `POST`, at the management API: an `EventBatch`. The response is an `Intake`. */
export const AUDIT_EVENTS = {
  route: '/audit-events',
  scope: 'internal:audit-events',
} as const satisfies Endpoint;

export const auditEventsUrl = (managementApiUrl: string): string =>
  `${managementApiUrl}${INTERNAL_PATH}${AUDIT_EVENTS.route}`;

/** `POST`, at the hub: a `RevocationRequest`. 200 means that the revocation is complete. */
export const REVOCATIONS = {
  route: '/revocations',
  scope: 'internal:revocations',
} as const satisfies Endpoint;

/** `POST`, at the hub: `OrganizationChanges`. 200 means that the hub has recorded them. */
export const CHANGES = {
  route: '/changes',
  scope: REVOCATIONS.scope,
} as const satisfies Endpoint;

export const changesUrl = (hubUrl: string): string => `${hubUrl}${INTERNAL_PATH}${CHANGES.route}`;

export const revocationsUrl = (hubUrl: string): string => `${hubUrl}${INTERNAL_PATH}${REVOCATIONS.route}`;
