import type { ConnectorId, OrganizationId } from '@legate/ids';
import type { TenantDatabase } from '@legate/postgres';
import type { Change } from '../../changes/change.ts';
import { problem } from '../../domain/problem-codes.ts';
import { CHANGED, isoTime } from '../../storage/columns.ts';
import { statement } from '../../storage/statement.ts';
import { createResourceStore } from '../resources/resource-store.ts';
import type { Connector, ConnectorSettings, ListConnectors } from './connector.ts';

/** A change of one secret: keep it, delete it, or store another one, encrypted. */
export type SecretChange = 'keep' | 'drop' | { readonly sealed: Buffer; readonly at: Date };
/** Changes of both secrets */
export interface SecretChanges {
  readonly secret: SecretChange;
  readonly fallbackSecret: SecretChange;
}
/** A request that was refused: the resource that it sent, or the connector that it would have restored */
export interface Refused {
  readonly resourceUrl: string | null;
  readonly id: string | null;
}
/** The connector that has the resource of a refused request */
export type Holder = Pick<Connector, 'id' | 'name'>;
export type CheckResult = Pick<Connector, 'status' | 'metadata' | 'last_error'>;

const CONNECTOR_JSON = `json_build_object('id', r.id, 'name', r.name, 'slug', r.slug, 'resource_url', r.resource_url, 'mcp_url', r.mcp_url,
  'auth_method', r.auth_method, 'service_kind', r.service_kind, 'scopes', r.scopes, 'step_up_scopes', r.step_up_scopes, 'client_id', r.client_id,
  'token_endpoint_auth_method', r.token_endpoint_auth_method, 'issuer', r.issuer, 'audience', r.audience,
  'exchange_audience', r.exchange_audience, 'token_audience', r.token_audience,
  'acknowledge_shared_audience', r.acknowledge_shared_audience, 'token_exchange_used_at', ${isoTime('token_exchange_used_at')},
  'fallback', r.fallback, 'id_jag_used_at', ${isoTime('id_jag_used_at')}, 'consent_used_at', ${isoTime('consent_used_at')},
  'fallback_approved_at', ${isoTime('fallback_approved_at')}, 'passthrough_audiences', r.passthrough_audiences, 'api_key_header', r.api_key_header,
  'ca_certificates', r.ca_certificates, 'has_fallback_secret', r.fallback_secret IS NOT NULL,
  'has_secret', r.secret IS NOT NULL, 'secret_updated_at', ${isoTime('secret_updated_at')},
  'status', r.status, 'metadata', r.metadata,
  'last_error', r.last_error, 'enabled', r.enabled, 'acknowledge_legacy', r.acknowledge_legacy,
  'created_at', ${isoTime('created_at')}, 'updated_at', ${isoTime('updated_at')})`;
/**
 * SQL of the time stored with any connector for the resource, including deleted ones: registering the
 * resource again must not lose it.
 */
const usedAt = (
  column: 'id_jag_used_at' | 'consent_used_at' | 'token_exchange_used_at',
) => `(SELECT max(u.${column}) FROM connectors u
  WHERE u.organization_id = $1::text AND u.resource_url = $4::text)`;
const CREATE = statement(
  'connector_create',
)`INSERT INTO connectors (organization_id, id, name, resource_url, auth_method, service_kind, scopes,
  client_id, enabled, acknowledge_legacy, fallback, passthrough_audiences, api_key_header, ca_certificates,
  secret, secret_updated_at, fallback_secret, issuer, step_up_scopes, slug, mcp_url, token_endpoint_auth_method, audience,
  exchange_audience, token_audience, acknowledge_shared_audience, id_jag_used_at, consent_used_at, token_exchange_used_at)
VALUES ($1::text, $2, $3, $4::text, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17, $18, $19, $20, $21, $22, $23,
  $24, $25, $26, ${usedAt('id_jag_used_at')}, ${usedAt('consent_used_at')}, ${usedAt('token_exchange_used_at')})`;
const ONE = 'organization_id = $1 AND id = $2';
/** Columns whose change ends an approval of the fallback */
const SAME_FALLBACK = `resource_url = $4 AND auth_method = $5 AND fallback = $11
  AND service_kind IS NOT DISTINCT FROM $6 AND mcp_url IS NOT DISTINCT FROM $21`;
/** Columns whose change resets the result of a check */
const SAME_TO_A_CHECK = 'resource_url = $4 AND auth_method = $5 AND issuer IS NOT DISTINCT FROM $18';
const UPDATE = statement(
  'connector_update',
)`UPDATE connectors SET name = $3, resource_url = $4, auth_method = $5, service_kind = $6, scopes = $7,
  client_id = $8, enabled = $9, acknowledge_legacy = $10,
  fallback = $11, passthrough_audiences = $12, api_key_header = $13, ca_certificates = $14, issuer = $18, step_up_scopes = $19, slug = $20,
  mcp_url = $21, token_endpoint_auth_method = $22, audience = $23,
  exchange_audience = $24, token_audience = $25, acknowledge_shared_audience = $26,
  id_jag_used_at = ${usedAt('id_jag_used_at')}, consent_used_at = ${usedAt('consent_used_at')},
  token_exchange_used_at = ${usedAt('token_exchange_used_at')},
  fallback_approved_at = CASE WHEN ${SAME_FALLBACK} THEN fallback_approved_at END,
  secret = CASE WHEN $27 THEN secret ELSE $15::bytea END,
  secret_updated_at = CASE WHEN $27 THEN secret_updated_at ELSE $16::timestamptz END,
  fallback_secret = CASE WHEN $28 THEN fallback_secret ELSE $17::bytea END,
  status = CASE WHEN ${SAME_TO_A_CHECK} THEN status ELSE 'pending' END,
  metadata = CASE WHEN resource_url = $4 THEN metadata END,
  last_error = CASE WHEN ${SAME_TO_A_CHECK} THEN last_error END,
  ${CHANGED} WHERE ${ONE}`;
const APPROVE_FALLBACK = statement('connector_approve_fallback')`UPDATE connectors
SET fallback_approved_at = $3, ${CHANGED} WHERE ${ONE}`;
const SLUGS = statement('connector_slugs')`SELECT slug FROM connectors WHERE organization_id = $1`;
/** A restored connector gets the resource that it had. */
const HOLDER = statement('connector_holder')`SELECT r.id, r.name FROM connectors r
WHERE r.organization_id = $1 AND r.deleted_at IS NULL AND r.resource_url = coalesce($2::text,
  (SELECT d.resource_url FROM connectors d WHERE d.organization_id = $1 AND d.id = $3))`;
/** The lock lets no other request of the organization take an audience in the meantime. */
const LOCK_AUDIENCES = statement(
  'connector_lock_audiences',
)`SELECT pg_advisory_xact_lock(hashtextextended('exchange_audience:' || $1::text, 0))`;
const WITH_AUDIENCE = statement('connector_with_audience')`SELECT r.resource_url FROM connectors r
WHERE r.organization_id = $1 AND r.deleted_at IS NULL AND r.id <> $3
  AND (lower(r.exchange_audience) = ANY ($2::text[]) OR lower(r.token_audience) = ANY ($2::text[]))`;
const SAVE_CHECK = statement('connector_save_check')`UPDATE connectors
SET status = $3, metadata = $4, last_error = $5, ${CHANGED} WHERE ${ONE}`;

export type ConnectorStore = ReturnType<typeof createConnectorStore>;

/**
 * Stores connectors. Never returns a secret. A second connector for the same resource throws 409
 * `resource_already_registered`.
 */
export function createConnectorStore(tenants: TenantDatabase) {
  const common = createResourceStore<Connector, ListConnectors>(tenants, {
    name: 'connector',
    table: 'connectors',
    json: CONNECTOR_JSON,
    filters: ({ auth_method, enabled, status, search }) => [
      { name: 'method', value: auth_method, condition: (wanted) => `r.auth_method = ${wanted}` },
      { name: 'enabled', value: enabled, condition: (wanted) => `r.enabled = ${wanted}` },
      { name: 'status', value: status, condition: (wanted) => `r.status = ${wanted}` },
      {
        name: 'search',
        value: search,
        condition: (part) => `strpos(lower(r.name), lower(${part})) > 0`,
      },
    ],
  });

  return {
    ...common,
    slugs: slugsOf,
    /** Finds the connector because of which a request was refused. */
    async findHolder(organizationId: OrganizationId, { resourceUrl, id }: Refused) {
      const find = HOLDER(organizationId, resourceUrl, id);
      const [holder] = await tenants.queryAsTenant<Holder>(organizationId, find);
      return holder;
    },
    create: (change: Change, id: ConnectorId, settings: ConnectorSettings, secrets: SecretChanges) =>
      common
        .write(change, id, CREATE(change.organizationId, id, ...columns(settings, secrets)))
        .catch(refuseSecondRegistration),
    /** Resets the status if the resource, method or issuer changed. */
    update(change: Change, id: ConnectorId, settings: ConnectorSettings, secrets: SecretChanges) {
      const kept = [secrets.secret === 'keep', secrets.fallbackSecret === 'keep'];
      const sent = UPDATE(change.organizationId, id, ...columns(settings, secrets), ...kept);
      return common.write(change, id, sent).catch(refuseSecondRegistration);
    },
    /** Finds other connectors that get tokens of one of these audiences. No other can until the transaction ends. */
    async connectorsWithAudience(change: Change, audiences: readonly string[], id: ConnectorId) {
      const { connection, organizationId } = change;
      await connection.query(LOCK_AUDIENCES(organizationId));
      const wanted = audiences.map((audience) => audience.toLowerCase());
      return connection.query<Pick<Connector, 'resource_url'>>(WITH_AUDIENCE(organizationId, wanted, id));
    },
    approveFallback: (change: Change, id: ConnectorId, at: Date) =>
      common.write(change, id, APPROVE_FALLBACK(change.organizationId, id, at)),
    saveCheck(change: Change, id: ConnectorId, { status, metadata, last_error }: CheckResult) {
      const found = [metadata && JSON.stringify(metadata), last_error && JSON.stringify(last_error)];
      return common.write(change, id, SAVE_CHECK(change.organizationId, id, status, ...found));
    },
    setDeleted: (change: Change, id: ConnectorId, deletedAt: Date | null) =>
      common.setDeleted(change, id, deletedAt).catch(refuseSecondRegistration),
  };
}

/** Returns the slugs of all connectors of the organization, deleted ones included. */
export async function slugsOf({
  connection,
  organizationId,
}: Pick<Change, 'connection' | 'organizationId'>): Promise<ReadonlySet<string>> {
  const rows = await connection.query<{ slug: string }>(SLUGS(organizationId));
  return new Set(rows.map(({ slug }) => slug));
}

function columns(settings: ConnectorSettings, { secret, fallbackSecret }: SecretChanges): unknown[] {
  const [sealed, at] = typeof secret === 'object' ? [secret.sealed, secret.at] : [null, null];
  return [
    settings.name,
    settings.resource_url,
    settings.auth_method,
    settings.service_kind,
    settings.scopes,
    settings.client_id,
    settings.enabled,
    settings.acknowledge_legacy,
    settings.fallback,
    settings.passthrough_audiences,
    settings.api_key_header,
    settings.ca_certificates,
    sealed,
    at,
    typeof fallbackSecret === 'object' ? fallbackSecret.sealed : null,
    settings.issuer,
    settings.step_up_scopes,
    settings.slug,
    settings.mcp_url,
    settings.token_endpoint_auth_method,
    settings.audience,
    settings.exchange_audience,
    settings.token_audience,
    settings.acknowledge_shared_audience,
  ];
}

/** The unique index decides, so that one of two concurrent registrations is refused. */
function refuseSecondRegistration(err: unknown): never {
  const constraint = err instanceof Error && 'constraint' in err ? err.constraint : undefined;
  if (constraint === 'connectors_slug') {
    throw problem('slug_taken', {
      detail: 'Another connector of the organization has this slug, perhaps a deleted one.',
    });
  }
  if (constraint === 'connectors_resource') {
    throw problem('resource_already_registered', {
      detail: 'The organization has another connector for this resource_url.',
    });
  }
  throw err;
}
