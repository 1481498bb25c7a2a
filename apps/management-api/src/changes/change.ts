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

/**
 * Hears of every event within the transaction of its change.
 * @returns what is left to be done once the change is saved
 */
export type FollowUp = (
  connection: TenantConnection,
  organizationId: string,
  event: NewAuditEvent,
) => Promise<(() => void) | undefined>;

export function createMakeChange(tenants: TenantDatabase, followUp?: FollowUp): MakeChange {
  return async (author, work) => {
    const { organizationId } = author;
    const left: (() => void)[] = [];
    const result = await tenants.withTenant(organizationId, (connection) =>
      work({
        organizationId,
        connection,
        async record(event) {
          await insertAuditEvent(connection, author, event);
          const then = await followUp?.(connection, organizationId, event);
          if (then) left.push(then);
        },
      }),
    );
    for (const then of left) then();
    return result;
  };
}
