import type { TenantConnection, TenantDatabase } from '@legate/postgres';
import { ulid } from 'ulid';
import type { NewAuditEvent } from '../domain/audit-event.ts';
import type { Author } from '../domain/author.ts';
import { statement } from '../storage/statement.ts';
import { boundedChanges } from './bounded-changes.ts';

const INSERT = statement('audit_event_insert')`INSERT INTO audit_events
  (id, organization_id, action, actor, targets, changes, context)
VALUES ($1, $2, $3, $4, $5, $6, $7)`;

/** Writes the event in the transaction of its change, so that both are saved or neither. */
export async function insertAuditEvent(
  connection: TenantConnection,
  author: Author,
  event: NewAuditEvent,
): Promise<void> {
  const actor = { type: author.type, id: author.userId, email: author.email };
  const context = { request_id: author.requestId, ip: author.ip, user_agent: author.userAgent };
  const changes = event.changes === undefined ? null : JSON.stringify(boundedChanges(event.changes));
  const json = [JSON.stringify(actor), JSON.stringify(event.targets), changes, JSON.stringify(context)];
  await connection.query(INSERT(`evt_${ulid()}`, author.organizationId, event.action, ...json));
}

const ENSURE_PARTITIONS = statement('audit_partitions')`SELECT ensure_audit_partitions($1)`;
const MONTHS_AHEAD = 12;

/** Makes the partitions of the coming months, with every start; what a late start misses goes to the default one. */
export async function ensureAuditPartitions(tenants: TenantDatabase): Promise<void> {
  await tenants.queryAsTenant('', ENSURE_PARTITIONS(MONTHS_AHEAD));
}
