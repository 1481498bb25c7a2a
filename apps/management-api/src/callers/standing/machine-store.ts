import type { OrganizationId, UserId } from '@legate/ids';
import type { TenantDatabase } from '@legate/postgres';
import { ApiKeyId, type ServiceAccountId } from '../../domain/ids.ts';
import type { Scope, ServiceAccountRole } from '../../domain/rights.ts';
import { statement } from '../../storage/statement.ts';
import {
  ORGANIZATION_COLUMNS,
  type Organization,
  type OrganizationRow,
  toOrganization,
} from './organization-store.ts';

/** The service account as which a machine acts */
export interface Account {
  readonly id: ServiceAccountId;
  readonly name: string;
  readonly role: ServiceAccountRole;
  readonly status: 'active' | 'disabled';
  /**
   * True if the client of the account has confirmed that it belongs to the organization, so its tokens need not name
   * it
   */
  readonly isConfirmed?: boolean;
}

export interface ApiKey {
  readonly id: ApiKeyId;
  readonly name: string;
  readonly scopes: readonly Scope[];
  /** CIDR blocks; empty: any address is allowed */
  readonly allowedIps: readonly string[];
  readonly expiresAt: Date;
  readonly lastUsedAt: Date | null;
}

/** The data that decides whether a request with an API key is admitted */
export interface KeyStanding {
  readonly organization: Organization;
  readonly account: Account;
  readonly key: ApiKey;
}

const PLACE = statement(
  'api_key_place',
)`SELECT organization_id AS "organizationId", id AS "keyId" FROM find_api_key($1)`;
/** Finds a key, unless it is revoked or its account is deleted. */
const FIND = statement(
  'api_key_standing',
)`SELECT ${ORGANIZATION_COLUMNS}, s.id AS account_id, s.name AS account_name, s.role, s.status AS account_status,
  k.name AS key_name, k.scopes, k.allowed_ips::text[], k.expires_at, k.last_used_at
FROM api_keys k
JOIN service_accounts s ON s.organization_id = k.organization_id AND s.id = k.service_account_id AND s.deleted_at IS NULL
JOIN organizations o ON o.id = k.organization_id
WHERE k.organization_id = $1 AND k.id = $2 AND k.kind = 'api' AND k.revoked_at IS NULL`;
const CONFIRMED = statement(
  'confirmed_client',
)`SELECT organization_id AS "organizationId" FROM find_confirmed_client($1, $2)`;
/** Changes the row once if several processes see the same use. */
const SAVE_USED = statement(
  'api_key_used',
)`UPDATE api_keys SET last_used_at = $3::timestamptz, last_used_ip = $4::inet
WHERE organization_id = $1 AND id = $2 AND (last_used_at IS NULL OR last_used_at <= $5)
RETURNING id`;

/** The organization and id of a key, which never change */
export interface KeyPlace {
  readonly organizationId: OrganizationId;
  readonly keyId: ApiKeyId;
}

interface Row extends OrganizationRow {
  account_id: ServiceAccountId;
  account_name: string;
  role: ServiceAccountRole;
  account_status: Account['status'];
  key_name: string;
  scopes: Scope[];
  allowed_ips: string[];
  expires_at: Date;
  last_used_at: Date | null;
}

export type MachineStore = ReturnType<typeof createMachineStore>;

export function createMachineStore(tenants: TenantDatabase) {
  return {
    /** @param hash SHA-256 of the key */
    async findPlace(hash: Buffer): Promise<KeyPlace | undefined> {
      return (await tenants.queryAsTenant<KeyPlace>('', PLACE(hash)))[0];
    },
    /** Returns undefined for a key that was revoked, or whose account was deleted. */
    async findKey(organizationId: OrganizationId, keyId: ApiKeyId): Promise<KeyStanding | undefined> {
      const [row] = await tenants.queryAsTenant<Row>(organizationId, FIND(organizationId, keyId));
      return row && toKeyStanding(row, keyId);
    },
    /** Returns the organization of a client whose tokens name none. */
    async findConfirmed(issuer: string, subject: UserId): Promise<OrganizationId | undefined> {
      const find = CONFIRMED(issuer, subject);
      return (await tenants.queryAsTenant<{ organizationId: OrganizationId }>('', find))[0]?.organizationId;
    },
    /** Returns the statement that saves a use, unless one was saved after `before`. */
    noteUsed: (organizationId: OrganizationId, keyId: ApiKeyId, now: Date, ip: string | null, before: Date) =>
      SAVE_USED(organizationId, keyId, now, ip, before),
  };
}

const toKeyStanding = (row: Row, keyId: ApiKeyId): KeyStanding => ({
  organization: toOrganization(row),
  account: { id: row.account_id, name: row.account_name, role: row.role, status: row.account_status },
  key: {
    id: ApiKeyId.parse(keyId),
    name: row.key_name,
    scopes: row.scopes,
    allowedIps: row.allowed_ips,
    expiresAt: row.expires_at,
    lastUsedAt: row.last_used_at,
  },
});
