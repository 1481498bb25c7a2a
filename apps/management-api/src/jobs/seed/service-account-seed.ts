import { OrganizationId, UserId } from '@legate/ids';
import type { TenantDatabase } from '@legate/postgres';
import { z } from 'zod';
import { ApiKeyId, ServiceAccountId } from '../../domain/ids.ts';
import { API_KEY_SCOPES, SERVICE_ACCOUNT_ROLES } from '../../domain/rights.ts';
import { hashOfSecretToken } from '../../domain/secret-token.ts';
import { statement } from '../../storage/statement.ts';

const KEY_DAYS = 90;
const DAY_MS = 24 * 3600 * 1000;
const HINT_CHARACTERS = 4;

const name = z.string().trim().min(1).max(100);

/** A service account of an organization in the file, for development only, because the file contains its key. */
export const SeedServiceAccount = z.strictObject({
  id: ServiceAccountId,
  organization_id: OrganizationId,
  name,
  role: z.enum(SERVICE_ACCOUNT_ROLES),
  /** `sub` of the OAuth client of the account */
  client_subject: UserId.optional(),
  key: z
    .strictObject({
      id: ApiKeyId,
      name,
      key: z.string().refine((key) => hashOfSecretToken('apiKey', key) !== undefined, {
        error: 'is no API key',
      }),
      scopes: z.array(z.enum(API_KEY_SCOPES as readonly [string, ...string[]])).min(1),
    })
    .optional(),
});
export type SeedServiceAccount = z.output<typeof SeedServiceAccount>;

/**
 * Adds an account that does not exist yet, unless its organization was purged. After the first start it
 * belongs to the administrators: later starts only extend its key, unless that is revoked.
 */
const SAVE_ACCOUNT = statement('service_account_seed')`INSERT INTO service_accounts
  (organization_id, id, name, role, created_by_type, created_by_id, issuer, client_subject)
SELECT $1::text, $2::text, $3::text, $4::text, 'system', 'management-api', $5::text, $6::text
WHERE EXISTS (SELECT FROM organizations WHERE id = $1::text)
  AND NOT EXISTS (SELECT FROM service_accounts other WHERE other.organization_id = $1::text
    AND other.id <> $2::text AND other.issuer = $5::text AND other.client_subject = $6::text AND other.deleted_at IS NULL)
ON CONFLICT (organization_id, id) DO NOTHING`;
const SAVE_KEY = statement(
  'api_key_seed',
)`INSERT INTO api_keys AS k (organization_id, service_account_id, id, name, key_hash,
  hint, scopes, expires_at, created_by_type, created_by_id)
SELECT $1::text, s.id, $3::text, $4::text, $5::bytea, $6::text, $7::text[], $8::timestamptz, 'system', 'management-api'
FROM service_accounts s WHERE s.organization_id = $1::text AND s.id = $2::text AND s.deleted_at IS NULL
ON CONFLICT (organization_id, id) DO UPDATE SET expires_at = excluded.expires_at WHERE k.revoked_at IS NULL`;

/** @param deps.issuer issuer of the clients' tokens */
export async function saveServiceAccounts(
  accounts: readonly SeedServiceAccount[],
  deps: { tenants: TenantDatabase; issuer: string; clock: () => Date },
): Promise<void> {
  const { tenants, issuer, clock } = deps;
  const expiresAt = new Date(clock().getTime() + KEY_DAYS * DAY_MS);
  for (const { id, organization_id: organizationId, name, role, client_subject, key } of accounts) {
    const client = client_subject === undefined ? [null, null] : [issuer, client_subject];
    await tenants.queryAsTenant(organizationId, SAVE_ACCOUNT(organizationId, id, name, role, ...client));
    if (!key) continue;
    const hash = hashOfSecretToken('apiKey', key.key);
    const hint = key.key.slice(-HINT_CHARACTERS);
    const values = [organizationId, id, key.id, key.name, hash, hint, key.scopes, expiresAt];
    await tenants.queryAsTenant(organizationId, SAVE_KEY(...values));
  }
}
