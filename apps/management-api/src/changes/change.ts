import type { TenantConnection, TenantDatabase } from '@legate/postgres';
import type { NewAuditEvent } from '../audit/audit-event.ts';
import { insertAuditEvent } from '../audit/store.ts';
import type { Author } from './author.ts';

/** A transaction in which something is changed. */
export interface Change {
  readonly organizationId: string;
  readonly connection: TenantConnection;
  /** Every change is told of before its transaction ends. */
  record(event: NewAuditEvent): Promise<void>;
}

/**
 * Runs `work` in one transaction, audit events included; nothing is saved when it throws.
 * @throws {DatabaseUnavailable}
 */
export type MakeChange = <Result>(
  author: Author,
  work: (change: Change) => Promise<Result>,
) => Promise<Result>;

export function createMakeChange(tenants: TenantDatabase): MakeChange {
  return (author, work) =>
    tenants.withTenant(author.organizationId, (connection) =>
      work({
        organizationId: author.organizationId,
        connection,
        record: (event) => insertAuditEvent(connection, author, event),
      }),
    );
}
