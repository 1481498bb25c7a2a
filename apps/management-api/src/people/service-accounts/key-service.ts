import { isId, type OrganizationId } from '@legate/ids';
import type { HappensTo } from '@legate/management-contract';
import type { Problem } from '@legate/service';
import type { Change } from '../../changes/change.ts';
import type { FieldChanges, NewAuditEvent } from '../../domain/audit-event.ts';
import type { ApiKeyId, ServiceAccountId } from '../../domain/ids.ts';
import { problem } from '../../domain/problem-codes.ts';
import { existing } from '../../domain/stored.ts';
import type { ApiKey, CreateApiKey, ListApiKeys, NewApiKey, RotateApiKey } from './api-key.ts';
import { createKeyMaking } from './key-making.ts';
import type { KeyStore } from './key-store.ts';
import type { FindMemberRole, Maker } from './maker.ts';
import { accountTarget, type ServiceAccounts } from './service.ts';
import type { ServiceAccount } from './service-account.ts';

/** Twice the usual limit, while old keys overlap with their replacements */
const MAX_LIVE = 10;
const DAY_MS = 24 * 3600 * 1000;

export type ApiKeys = ReturnType<typeof createApiKeys>;

/** Makes, rotates and revokes the API keys of an account. Each method throws 404 for a key of another organization. */
export function createApiKeys(deps: {
  accounts: ServiceAccounts;
  store: KeyStore;
  findMemberRole: FindMemberRole;
  /** Maximum lifetime of a key, in days */
  maxDays: number;
  clock: () => Date;
}) {
  const { accounts, store, maxDays, clock } = deps;
  const { expiryOf, refuseScopesBeyond, insert } = createKeyMaking(deps);

  async function lock(change: Change, accountId: ServiceAccountId, id: ApiKeyId) {
    const { value: account } = await accounts.lock(change, accountId);
    const key = existing('API key', isId(id) && (await store.read(change, accountId, id)));
    const isLive = key.revoked_at === null && new Date(key.expires_at) > clock();
    return { account, key, isLive };
  }

  return {
    async list(organizationId: OrganizationId, accountId: ServiceAccountId, query: ListApiKeys) {
      await accounts.find(organizationId, accountId);
      return store.list(organizationId, accountId, query);
    },
    async find(organizationId: OrganizationId, accountId: ServiceAccountId, id: ApiKeyId) {
      await accounts.find(organizationId, accountId);
      return existing('API key', isId(id) && (await store.find(organizationId, accountId, id)));
    },
    /** @throws {Problem} 400 `validation_failed`, 403 `role_escalation`, 404, 409 `quota_exceeded` */
    async create(
      change: Change,
      maker: Maker,
      accountId: ServiceAccountId,
      wanted: CreateApiKey,
    ): Promise<NewApiKey> {
      const { value: account } = await accounts.lock(change, accountId);
      const { expires_at, ...rest } = wanted;
      const expiresAt = expiryOf(expires_at);
      await refuseScopesBeyond(change, maker, account, wanted.scopes);
      const made = await insert(change, maker, account, { ...rest, expiresAt }, MAX_LIVE);
      await change.record(eventOf('created', account, made, changesOf(made)));
      return made;
    },
    /**
     * Makes a key with the same rights, and ends the old one after the overlap. Anyone who rotates sees the new secret, so they need
     * its rights too.
     * @throws {Problem} 403 `role_escalation`, 404, 409 `key_revoked`, `quota_exceeded`
     */
    async rotate(
      change: Change,
      maker: Maker,
      accountId: ServiceAccountId,
      id: ApiKeyId,
      { overlap_seconds }: RotateApiKey,
    ): Promise<NewApiKey> {
      const { account, key, isLive } = await lock(change, accountId, id);
      if (!isLive || key.rotated_to !== null) throw keyRevoked(key);
      await refuseScopesBeyond(change, maker, account, key.scopes);
      const lifetimeMs = new Date(key.expires_at).getTime() - new Date(key.created_at).getTime();
      const expiresAt = new Date(clock().getTime() + Math.min(lifetimeMs, maxDays * DAY_MS));
      const { name, scopes, allowed_ips } = key;
      const wanted = { name, scopes, allowed_ips, expiresAt };
      const made = await insert(change, maker, account, wanted, 2 * MAX_LIVE);
      const endsAt = new Date(clock().getTime() + overlap_seconds * 1000);
      await store.rotate(change, accountId, id, made.id, endsAt);
      await change.record({
        ...eventOf('rotated', account, key, changesOf(made)),
        details: { rotated_to: made.id, overlap_seconds },
      });
      return made;
    },
    /** May be repeated. @throws {Problem} 404 */
    async revoke(change: Change, accountId: ServiceAccountId, id: ApiKeyId): Promise<void> {
      const { account, key } = await lock(change, accountId, id);
      if (key.revoked_at !== null) return;
      await store.revoke(change, accountId, id);
      await change.record(eventOf('revoked', account, key));
    },
  };
}

const changesOf = ({ scopes, allowed_ips, expires_at }: ApiKey): FieldChanges => ({
  scopes: { from: null, to: scopes },
  allowed_ips: { from: null, to: allowed_ips },
  expires_at: { from: null, to: expires_at },
});

const eventOf = (
  what: HappensTo<'api_key'>,
  account: ServiceAccount,
  { id, name }: ApiKey,
  changes?: FieldChanges,
): NewAuditEvent => ({
  action: `api_key.${what}`,
  targets: [{ type: 'api_key', id, name }, accountTarget(account)],
  changes,
});

const keyRevoked = ({ rotated_to, revoked_at }: ApiKey): Problem =>
  problem('key_revoked', {
    detail:
      revoked_at === null && rotated_to !== null
        ? `The API key was already rotated to ${rotated_to}.`
        : 'The API key was revoked or has expired.',
  });
