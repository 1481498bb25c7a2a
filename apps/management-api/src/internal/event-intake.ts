import type { OrganizationId } from '@legate/ids';
import { type AuditEvent, auditEvent, type Intake } from '@legate/management-contract';
import type { TenantDatabase } from '@legate/postgres';
import { bodyProblems } from '@legate/service';
import { statement } from '../storage/statement.ts';

/**
 * Stores the valid events of a batch, each once, for any organization: even one that is unknown here, since the audit
 * trail outlives its objects. After a failure the same batch may be sent again.
 * @throws {DatabaseUnavailable}
 */
export type TakeEvents = (events: readonly unknown[], service: string) => Promise<Intake>;

/**
 * Names no conflict target: the key is that of a partitioned table, and a repeated event has the same time.
 *
 * The first use of ID-JAGs, of `token-exchange` or of users' consent, at a connector is saved with the event, for the connector's
 * fallback, and only if it changes something, so that almost no event writes to a connector.
 */
const matters = (column: 'id_jag_used_at' | 'consent_used_at' | 'token_exchange_used_at') =>
  `(used.${column} IS NOT NULL AND (c.${column} IS NULL
    OR c.${column} <= c.fallback_approved_at AND c.fallback_approved_at < used.${column}))`;
const INSERT = statement(
  'service_events_insert',
)`WITH inserted AS (INSERT INTO audit_events (id, organization_id, action, actor, targets, context, details, occurred_at)
SELECT e.id, $1, e.action, e.actor, e.targets, e.context, e.details, e.occurred_at
FROM jsonb_to_recordset($2::jsonb)
  AS e(id text, action text, actor jsonb, targets jsonb, context jsonb, details jsonb, occurred_at timestamptz)
ON CONFLICT DO NOTHING RETURNING id, targets, details, occurred_at),
used AS (SELECT t->>'id' AS id,
  max(i.occurred_at) FILTER (WHERE i.details->'used_id_jag' = 'true') AS id_jag_used_at,
  max(i.occurred_at) FILTER (WHERE i.details->'used_consent' = 'true') AS consent_used_at,
  max(i.occurred_at) FILTER (WHERE i.details->'used_token_exchange' = 'true') AS token_exchange_used_at
  FROM inserted i, jsonb_array_elements(i.targets) t
  WHERE 'true' IN (i.details->'used_id_jag', i.details->'used_consent', i.details->'used_token_exchange') AND t->>'type' = 'connector' GROUP BY 1),
noted AS (UPDATE connectors c SET version = c.version + 1,
    id_jag_used_at = CASE WHEN ${matters('id_jag_used_at')} THEN used.id_jag_used_at ELSE c.id_jag_used_at END,
    consent_used_at = CASE WHEN ${matters('consent_used_at')} THEN used.consent_used_at ELSE c.consent_used_at END,
    token_exchange_used_at = CASE WHEN ${matters('token_exchange_used_at')} THEN used.token_exchange_used_at
      ELSE c.token_exchange_used_at END
  FROM used WHERE c.organization_id = $1 AND c.id = used.id
    AND (${matters('id_jag_used_at')} OR ${matters('consent_used_at')} OR ${matters('token_exchange_used_at')}))
SELECT id FROM inserted`;

export function createTakeEvents(deps: { tenants: TenantDatabase; clock: () => Date }): TakeEvents {
  return async (events, service) => {
    const schema = auditEvent(deps.clock());
    const refused: Intake['refused'] = [];
    const byOrganization = new Map<OrganizationId, AuditEvent[]>();
    for (const [index, event] of events.entries()) {
      const parsed = schema.safeParse(event);
      if (!parsed.success) {
        refused.push({ index, errors: bodyProblems(schema, event) });
        continue;
      }
      const { organization_id } = parsed.data;
      byOrganization.set(organization_id, [...(byOrganization.get(organization_id) ?? []), parsed.data]);
    }

    let accepted = 0;
    for (const [organizationId, own] of byOrganization) {
      const rows = JSON.stringify(own.map((event) => toRow(event, service)));
      const inserted = await deps.tenants.queryAsTenant(organizationId, INSERT(organizationId, rows));
      accepted += inserted.length;
    }
    return { accepted, known: events.length - refused.length - accepted, refused };
  };
}

const toRow = (
  { id, action, actor, targets, request_id, details, occurred_at }: AuditEvent,
  service: string,
) => ({
  id,
  action,
  actor,
  targets,
  context: { request_id, ip: null, user_agent: null },
  // Comes last, so that no service can pretend to be another one.
  details: { ...details, recorded_by: service },
  occurred_at,
});
