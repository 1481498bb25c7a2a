import type { OrganizationId, UserId } from '@legate/ids';
import type { TenantDatabase } from '@legate/postgres';
import type { Change } from '../../changes/change.ts';
import type { ServiceAccountId } from '../../domain/ids.ts';
import { CHANGED } from '../../storage/columns.ts';
import { statement } from '../../storage/statement.ts';

/** Blocks other registrations, so that two accounts do not get the same client. */
const LOCK_ALL = statement('clients_lock')`SELECT 1 FROM organizations WHERE id = $1 FOR NO KEY UPDATE`;
const IS_TAKEN = statement('client_taken')`SELECT 1 FROM service_accounts
WHERE organization_id = $1 AND id <> $2 AND issuer = $3 AND client_subject = $4 AND deleted_at IS NULL`;
/** Registers a client. A client that the account has already stays confirmed. */
const PUT = statement('client_put')`UPDATE service_accounts SET
  confirmed_at = CASE WHEN (issuer, client_subject) IS NOT DISTINCT FROM ($3::text, $4::text) THEN confirmed_at END,
  issuer = $3::text, client_subject = $4::text, confirmation_hash = $5, confirmation_expires_at = $6, ${CHANGED}
WHERE organization_id = $1 AND id = $2`;
const REMOVE = statement('client_remove')`UPDATE service_accounts SET issuer = NULL, client_subject = NULL,
  confirmed_at = NULL, confirmation_hash = NULL, confirmation_expires_at = NULL, ${CHANGED}
WHERE organization_id = $1 AND id = $2`;
const FIND_CONFIRMATION = statement(
  'confirmation_place',
)`SELECT organization_id AS "organizationId", id FROM find_confirmation($1)`;
/** Confirms a client. A confirmation is valid for one client, for a limited time, and once. */
const CONFIRM = statement(
  'client_confirm',
)`UPDATE service_accounts SET confirmed_at = $6, confirmation_hash = NULL, confirmation_expires_at = NULL, ${CHANGED}
WHERE organization_id = $1 AND id = $2 AND confirmation_hash = $3 AND issuer = $4 AND client_subject = $5
  AND confirmation_expires_at > $6 AND deleted_at IS NULL RETURNING id`;

interface Client {
  readonly issuer: string;
  readonly subject: UserId;
}

export type ClientStore = ReturnType<typeof createClientStore>;

export function createClientStore(tenants: TenantDatabase) {
  return {
    /** Blocks other registrations until the transaction ends. */
    async lockAll({ connection, organizationId }: Change) {
      await connection.query(LOCK_ALL(organizationId));
    },
    /** Returns true if another account has the client. */
    async isTaken({ connection, organizationId }: Change, id: ServiceAccountId, client: Client) {
      const taken = IS_TAKEN(organizationId, id, client.issuer, client.subject);
      return (await connection.query(taken)).length > 0;
    },
    async put(change: Change, id: ServiceAccountId, client: Client, hash: Buffer, expiresAt: Date) {
      const { connection, organizationId } = change;
      await connection.query(PUT(organizationId, id, client.issuer, client.subject, hash, expiresAt));
    },
    async remove({ connection, organizationId }: Change, id: ServiceAccountId) {
      await connection.query(REMOVE(organizationId, id));
    },
    /** Returns the organization and account of a confirmation, which may have expired. */
    async findConfirmation(hash: Buffer) {
      const find = FIND_CONFIRMATION(hash);
      const [place] = await tenants.queryAsTenant<{ organizationId: OrganizationId; id: ServiceAccountId }>(
        '',
        find,
      );
      return place;
    },
    /** @returns false if the confirmation is for another client, or no longer valid */
    async confirm(change: Change, id: ServiceAccountId, client: Client, hash: Buffer, now: Date) {
      const { connection, organizationId } = change;
      const confirm = CONFIRM(organizationId, id, hash, client.issuer, client.subject, now);
      return (await connection.query(confirm)).length > 0;
    },
  };
}
