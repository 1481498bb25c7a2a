import type { TestDatabase } from '@legate/postgres/testing';

type Owner = Parameters<Parameters<TestDatabase['asOwner']>[0]>[0];

/**
 * A row in each table for one organization ($1), in an order in which they can be inserted. It sets only the
 * columns that the table had at first, so that it works with all versions of the schema.
 */
const INSERTS = {
  organizations: "INSERT INTO organizations (id, name) VALUES ($1::text, 'Acme')",
  members:
    "INSERT INTO members (organization_id, user_id, id, role) VALUES ($1::text, 'u', 'mem_' || $1::text, 'owner')",
  sites: "INSERT INTO sites (id, organization_id, name) VALUES ('site_' || $1::text, $1::text, 'Site')",
  site_origins:
    "INSERT INTO site_origins (organization_id, site_id, origin, position) VALUES ($1::text, 'site_' || $1::text, 'https://a.example', 1)",
  audit_events:
    "INSERT INTO audit_events (id, organization_id, action, actor) VALUES ('evt_' || $1::text, $1::text, 'x', '{}')",
  idempotency_keys:
    "INSERT INTO idempotency_keys (organization_id, user_id, key, request_hash, created_at) VALUES ($1::text, 'u', 'k', '', now())",
  agents: "INSERT INTO agents (id, organization_id, name) VALUES ('agt_' || $1::text, $1::text, 'Agent')",
  service_accounts:
    "INSERT INTO service_accounts (organization_id, id, name, role) VALUES ($1::text, 'sva_1', 'CI', 'viewer')",
  api_keys:
    "INSERT INTO api_keys (organization_id, id, service_account_id, name, key_hash, hint, scopes, expires_at) VALUES ($1::text, 'key_1', 'sva_1', 'CI', sha256($1::text::bytea), 'b3ff', '{sites:read}', now())",
  site_agents:
    "INSERT INTO site_agents (organization_id, site_id, agent_id) VALUES ($1::text, 'site_' || $1::text, 'agt_' || $1::text)",
  connectors:
    "INSERT INTO connectors (id, organization_id, name, slug, resource_url, client_id, enabled) VALUES ('con_' || $1::text, $1::text, 'C', 'c', 'https://c.example', 'hub', false)",
  connector_tools:
    "INSERT INTO connector_tools (organization_id, connector_id, name, resource_url) VALUES ($1::text, 'con_' || $1::text, 'whoami', 'https://c.example')",
  agent_connectors:
    "INSERT INTO agent_connectors (organization_id, agent_id, connector_id) VALUES ($1::text, 'agt_' || $1::text, 'con_' || $1::text)",
  agent_clients:
    "INSERT INTO agent_clients (organization_id, id, agent_id, client_id) VALUES ($1::text, 'acl_' || $1::text, 'agt_' || $1::text, 'https://editor.example/client.json')",
  domains:
    "INSERT INTO domains (id, organization_id, domain, verification_token) VALUES ('dom_' || $1::text, $1::text, 'acme.example', repeat('x', 40))",
  client_consents:
    "INSERT INTO client_consents (organization_id, user_id, client_id, decision, decided_at) VALUES ($1::text, 'u', 'c', 'deny', now())",
  usage_days:
    "INSERT INTO usage_days (organization_id, day, requests, throttled) VALUES ($1::text, '2026-01-31', 1, 0)",
  call_counts:
    "INSERT INTO call_counts (organization_id, day, connector_id, agent_id, leg, rule, allowed, refused, failed) VALUES ($1::text, '2026-01-31', '', '', '', '', 1, 0, 0)",
  resource_counts:
    "INSERT INTO resource_counts (organization_id, resource, present) VALUES ($1::text, 'sites', 0)",
  pending_revocations:
    "INSERT INTO pending_revocations (id, organization_id, reason, due_at, created_at) VALUES ('rev_' || $1::text, $1::text, 'x', now(), now())",
  organization_tombstones: 'INSERT INTO organization_tombstones (organization_id) VALUES ($1::text)',
  invitations:
    "INSERT INTO invitations (id, organization_id, email, role, token_hash, valid_days, sent_at, expires_at, invited_by_type, invited_by_id) VALUES ('inv_' || $1::text, $1::text, 'a@a.example', 'viewer', sha256($1::bytea), 7, now(), now(), 'user', 'u')",
  onboarding_sessions:
    "INSERT INTO onboarding_sessions (id, user_id, email_verified, external_id, return_to, created_at, expires_at) VALUES (gen_random_uuid(), $1::text, true, gen_random_uuid(), '/', now(), now())",
} as const;

export const ALL_TABLES = Object.keys(INSERTS);
/** Tables whose rows belong to an organization */
export const TENANT_TABLES = ALL_TABLES.filter((table) => table !== 'onboarding_sessions');

/** @param tables default: all */
export async function insertOneOfEach(
  owner: Owner,
  organizationId: string,
  tables: readonly string[] = ALL_TABLES,
): Promise<void> {
  for (const [table, text] of Object.entries(INSERTS)) {
    if (tables.includes(table)) await owner.query(text, [organizationId]);
  }
}
