/**
 * The development scene: what `infra/development/*.json` seeds. Every value here is public, and every service refuses
 * these files when NODE_ENV is production.
 */
export const PASSWORD = 'legate-demo';

export interface SceneUser {
  readonly id: string;
  readonly name: string;
  readonly email: string;
  readonly organization: string | undefined;
}

export const USERS = {
  alice: { id: 'user_alice', name: 'Alice', email: 'alice@acme.example', organization: 'org_acme' },
  bob: { id: 'user_bob', name: 'Bob', email: 'bob@acme.example', organization: 'org_acme' },
  carol: { id: 'user_carol', name: 'Carol', email: 'carol@globex.example', organization: 'org_globex' },
  dave: { id: 'user_dave', name: 'Dave', email: 'dave@newco.example', organization: undefined },
  // Dave may create an organization at /onboarding; Erin never does, so the demo is the same each time.
  erin: { id: 'user_erin', name: 'Erin', email: 'erin@initech.example', organization: undefined },
} as const satisfies Record<string, SceneUser>;

/** Clients registered at the identity provider. */
export const IDP_CLIENTS = {
  frontend: { id: 'frontend-app' },
  hub: { id: 'tool-hub', secret: 'tool-hub-dev-secret' },
  console: { id: 'legate-console', secret: 'legate-console-dev-secret' },
  /** Signs in on the page of the management API */
  apiReference: { id: 'api-reference' },
  managementApi: { id: 'management-api', secret: 'management-api-dev-secret' },
  toolServer: { id: 'reference-mcp-server', secret: 'reference-mcp-server-dev-secret' },
  /** Acts as the service account CI of Acme */
  ci: { id: 'ci', secret: 'ci-of-acme-dev-secret' },
} as const;

/**
 * Clients registered at the reference tool server; the second one exists for tests that use credentials of the first.
 */
export const TOOL_SERVER_CLIENTS = {
  hub: { id: 'tool-hub', secret: 'tool-hub-at-reference-dev-secret' },
  second: { id: 'second-client', secret: 'second-client-at-reference-dev-secret' },
} as const;

/** The tool server at the hub's Transaction Token Service; it has the same name at the identity provider. */
export const TRANSACTION_CLIENT = {
  id: IDP_CLIENTS.toolServer.id,
  secret: 'reference-mcp-server-at-hub-dev-secret',
} as const;

/** Encrypts the secrets of connectors in a database server. */
export const CONNECTOR_ENCRYPTION_KEYS = 'dev:bGVnYXRlLWRldmVsb3BtZW50LWVuY3J5cHRpb24ta2U=';
/** The key of the same service account */
export const API_KEY = 'lgt_LegateDevelopmentKeyPublic0000004LM1GR';
export const IDP_ADMIN_KEY = 'mock-idp-dev-admin-key';
export const CONNECTOR = 'con_reference';
/** Name of its tools at `/mcp` of the hub */
export const toolAtMcp = (tool: string): string => `reference_${tool}`;
export const SCOPES = ['mcp:tools:read', 'mcp:tools:call'] as const;
