import { hash } from 'node:crypto';
import type { ConnectorId, OrganizationId } from '@legate/ids';
import type { ConnectorRecord, OrganizationDocument } from '@legate/management-contract';
import { DatabaseUnavailable, type TenantDatabase } from '@legate/postgres';
import { type PlanName, requestsPerMinute } from '@legate/rate-limit';
import type { Logger } from '@legate/service';
import type { ReadSecret } from '../catalog/connectors/secrets.ts';
import { problem } from '../domain/problem-codes.ts';
import { statement } from '../storage/statement.ts';

type Secrets = Pick<
  ConnectorRecord,
  'secret' | 'secret_unreadable' | 'fallback_secret' | 'fallback_secret_unreadable'
>;

/** The content of the document without the secrets */
interface Snapshot extends Omit<OrganizationDocument, 'connectors'> {
  readonly connectors: readonly (Omit<ConnectorRecord, keyof Secrets> & {
    readonly has_secret: boolean;
    readonly has_fallback_secret: boolean;
  })[];
}

export type HubDocument =
  | { readonly kind: 'unknown' }
  | { readonly kind: 'not_modified'; readonly etag: string }
  /** `etag`: undefined if a secret could not be decrypted, since that may change without any change here. */
  | { readonly kind: 'found'; readonly etag: string | undefined; readonly body: OrganizationDocument };

/** A snapshot as returned by the SQL statement */
interface StoredSnapshot extends Omit<Snapshot, 'organization'> {
  readonly organization: Omit<Snapshot['organization'], 'requests_per_minute'> & {
    readonly plan: PlanName;
    readonly own_requests_per_minute: number | null;
  };
}

/**
 * Reads the connectors of an organization with their secrets, and its agents' bindings; only the hub may use it.
 * @param isKnown returns true if the caller has the document with this ETag; then no secret is decrypted
 * @throws {DatabaseUnavailable}
 */
export type ReadHubDocument = (
  organizationId: OrganizationId,
  isKnown: (etag: string) => boolean,
) => Promise<HubDocument>;

const CONNECTORS = `SELECT json_agg(json_build_object('id', c.id, 'organization_id', c.organization_id, 'name', c.name, 'slug', c.slug,
  'resource_url', c.resource_url, 'mcp_url', c.mcp_url, 'auth_method', c.auth_method, 'service_kind', c.service_kind, 'scopes', c.scopes,
  'step_up_scopes', c.step_up_scopes,
  'id_jag_used', c.id_jag_used_at IS NOT NULL AND c.id_jag_used_at > coalesce(c.fallback_approved_at, '-infinity'),
  'consent_used', c.consent_used_at IS NOT NULL AND c.consent_used_at > coalesce(c.fallback_approved_at, '-infinity'),
  'token_exchange_used', c.token_exchange_used_at IS NOT NULL AND c.token_exchange_used_at > coalesce(c.fallback_approved_at, '-infinity'),
  'exchange_audience', c.exchange_audience, 'token_audience', c.token_audience,
  'acknowledge_shared_audience', c.acknowledge_shared_audience,
  'fallback_approval', c.fallback_approved_at::text,
  'client_id', c.client_id, 'token_endpoint_auth_method', c.token_endpoint_auth_method, 'issuer', c.issuer, 'audience', c.audience, 'has_secret', c.secret IS NOT NULL,
  'has_fallback_secret', c.fallback_secret IS NOT NULL, 'fallback', c.fallback,
  'passthrough_audiences', c.passthrough_audiences, 'api_key_header', c.api_key_header, 'ca_certificates', c.ca_certificates,
  'acknowledge_legacy', c.acknowledge_legacy, 'metadata', c.metadata, 'version', c.version::text)
  ORDER BY c.created_at, c.id)
FROM connectors c WHERE c.organization_id = o.id AND c.deleted_at IS NULL AND c.enabled`;
const BINDINGS = `SELECT json_agg(json_build_object('connector_id', b.connector_id, 'scopes', b.scopes, 'tools', b.tools,
  'approval', b.approval) ORDER BY b.connector_id)
FROM agent_connectors b WHERE b.organization_id = o.id AND b.agent_id = a.id`;
const AGENTS = `SELECT json_agg(json_build_object('id', a.id, 'name', a.name, 'status', a.status, 'connectors', coalesce((${BINDINGS}), '[]'))
  ORDER BY a.id)
FROM agents a WHERE a.organization_id = o.id AND a.deleted_at IS NULL`;
const REMOVED = `SELECT json_agg(m.user_id ORDER BY m.user_id)
FROM members m WHERE m.organization_id = o.id AND m.removed_at IS NOT NULL`;
const ROLES = `SELECT json_object_agg(m.user_id, m.role ORDER BY m.user_id)
FROM members m WHERE m.organization_id = o.id AND m.removed_at IS NULL`;
const DENIED = `SELECT json_agg(json_build_object('user_id', d.user_id, 'client_id', d.client_id) ORDER BY d.user_id, d.client_id)
FROM client_consents d WHERE d.organization_id = o.id AND d.decision = 'deny'`;
const AGENT_CLIENTS = `SELECT json_agg(json_build_object('client_id', k.client_id, 'agent_id', k.agent_id) ORDER BY k.client_id)
FROM agent_clients k WHERE k.organization_id = o.id`;
const SNAPSHOT = statement('hub_snapshot')`SELECT json_build_object(
  'organization', json_build_object('id', o.id, 'name', o.name, 'status', CASE o.status WHEN 'active' THEN 'active' ELSE 'suspended' END,
    'plan', o.plan, 'agent_policy', o.agent_policy, 'role_source', o.role_source, 'own_requests_per_minute', o.rate_limit_per_minute),
  'connectors', CASE o.status WHEN 'active' THEN coalesce((${CONNECTORS}), '[]') ELSE '[]' END,
  'agents', CASE o.status WHEN 'active' THEN coalesce((${AGENTS}), '[]') ELSE '[]' END,
  'roles', coalesce((${ROLES}), '{}'),
  'removed_users', coalesce((${REMOVED}), '[]'),
  'denied_clients', coalesce((${DENIED}), '[]'),
  'agent_clients', coalesce((${AGENT_CLIENTS}), '[]')) AS snapshot
FROM organizations o WHERE o.id = $1`;

const MAX_ATTEMPTS = 3;
const NO_SECRET = { secret: null, isUnreadable: false };

/** @param deps.onUnreadable called for each secret that cannot be decrypted, for metrics */
export function createReadHubDocument(deps: {
  tenants: TenantDatabase;
  readSecret: ReadSecret;
  log: Logger;
  onUnreadable: () => void;
}): ReadHubDocument {
  const { tenants, readSecret, log, onUnreadable } = deps;

  async function read(
    organizationId: OrganizationId,
  ): Promise<{ snapshot: Snapshot; etag: string } | undefined> {
    const sent = SNAPSHOT(organizationId);
    const [row] = await tenants.queryAsTenant<{ snapshot: StoredSnapshot }>(organizationId, sent);
    if (!row) return undefined;
    const { own_requests_per_minute: own, ...organization } = row.snapshot.organization;
    const plan = { name: organization.plan, requestsPerMinute: own };
    const limit = requestsPerMinute(plan);
    const snapshot: Snapshot = {
      ...row.snapshot,
      organization: { ...organization, requests_per_minute: limit },
    };
    // The snapshot needs no secrets to differ: a new secret changes the version of its connector.
    return { snapshot, etag: `"${hash('sha256', JSON.stringify(snapshot), 'base64url')}"` };
  }

  /** Decrypts a secret; a failure must not affect the other connectors. */
  async function secretOf(organizationId: OrganizationId, connectorId: ConnectorId, of?: 'fallback') {
    try {
      return { secret: (await readSecret(organizationId, connectorId, of)) ?? null, isUnreadable: false };
    } catch (err) {
      if (err instanceof DatabaseUnavailable) throw err;
      log.error(
        { err, organization_id: organizationId, connector_id: connectorId },
        'the secret of a connector cannot be decrypted',
      );
      onUnreadable();
      return { secret: null, isUnreadable: true };
    }
  }

  async function withSecrets(organizationId: OrganizationId, { connectors, ...rest }: Snapshot) {
    const complete = [];
    for (const { has_secret, has_fallback_secret, ...connector } of connectors) {
      const own = has_secret ? await secretOf(organizationId, connector.id) : NO_SECRET;
      const ofFallback = has_fallback_secret
        ? await secretOf(organizationId, connector.id, 'fallback')
        : NO_SECRET;
      complete.push({
        ...connector,
        secret: own.secret,
        secret_unreadable: own.isUnreadable,
        fallback_secret: ofFallback.secret,
        fallback_secret_unreadable: ofFallback.isUnreadable,
      });
    }
    const isComplete = complete.every(
      (connector) => !connector.secret_unreadable && !connector.fallback_secret_unreadable,
    );
    return { body: { ...rest, connectors: complete }, isComplete };
  }

  return async (organizationId, isKnown) => {
    let found = await read(organizationId);
    for (let attempts = 0; attempts < MAX_ATTEMPTS; attempts += 1) {
      if (!found) return { kind: 'unknown' };
      const { snapshot, etag } = found;
      if (isKnown(etag)) return { kind: 'not_modified', etag };
      const { body, isComplete } = await withSecrets(organizationId, snapshot);
      // Secrets are read one by one. If the connector changes meanwhile, a new secret could be sent to the old
      // address, so everything is read again.
      found = await read(organizationId);
      if (found?.etag === etag) return { kind: 'found', etag: isComplete ? etag : undefined, body };
    }
    throw problem('service_unavailable', {
      detail: 'The connectors changed while they were read. Try again.',
      headers: { 'Retry-After': '1' },
    });
  };
}
