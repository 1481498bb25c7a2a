import type { TenantConnection, TenantDatabase } from '@legate/postgres';
import { ulid } from 'ulid';
import type { NewAuditEvent } from '../domain/audit-event.ts';
import type { Author } from '../domain/author.ts';
import { AuditEventId } from '../domain/ids.ts';
import { boundedChanges } from './bounded-changes.ts';

const INSERT = `INSERT INTO audit_events (id, organization_id, action, actor, targets, changes, context, details)
VALUES ($1, $2, $3, $4, $5, $6, $7, $8)`;

/** Writes the event in the transaction of its change, so that both are saved or neither. @returns its id */
export async function insertAuditEvent(
  connection: TenantConnection,
  author: Author,
  event: NewAuditEvent,
): Promise<AuditEventId> {
  const id = AuditEventId.parse(`evt_${ulid()}`);
  const actor = { type: author.type, id: author.userId, email: author.email };
  const context = {
    request_id: author.requestId,
    client_request_id: author.callerRequestId,
    trace_id: author.traceId,
    ip: author.ip,
    user_agent: author.userAgent,
    auth: author.credential?.kind ?? null,
    client_id: author.credential?.clientId ?? null,
    token_id: author.credential?.tokenId ?? null,
  };
  await connection.query({
    name: 'audit_event_insert',
    text: INSERT,
    values: [
      id,
      author.organizationId,
      event.action,
      JSON.stringify(actor),
      JSON.stringify(event.targets),
      event.changes === undefined ? null : JSON.stringify(boundedChanges(event.changes)),
      JSON.stringify(context),
      event.details === undefined ? null : JSON.stringify(event.details),
    ],
  });
  return id;
}

const MONTHS_AHEAD = 12;

/**
 * Creates the partitions of the coming months, at every start; events of a month without a partition go to
 * the default one.
 */
export async function ensureAuditPartitions(tenants: TenantDatabase): Promise<void> {
  const text = 'SELECT ensure_audit_partitions($1)';
  await tenants.queryAsTenant('', { name: 'audit_partitions', text, values: [MONTHS_AHEAD] });
}
