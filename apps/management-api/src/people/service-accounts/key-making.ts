import { type Problem, validationFailed } from '@legate/service';
import { ulid } from 'ulid';
import type { Change } from '../../changes/change.ts';
import { ApiKeyId } from '../../domain/ids.ts';
import { problem } from '../../domain/problem-codes.ts';
import { roleHas, type Scope } from '../../domain/rights.ts';
import { hashOfSecretToken, newSecretToken } from '../../domain/secret-token.ts';
import { existing } from '../../domain/stored.ts';
import type { CreateApiKey, NewApiKey } from './api-key.ts';
import type { KeyStore } from './key-store.ts';
import { type FindMemberRole, type Maker, refuseEscalation } from './maker.ts';
import type { ServiceAccount } from './service-account.ts';

/** Keys that have ended are purged after 30 days; until then this limit stops a loop of creating and revoking. */
const MAX_WITH_ENDED = 1000;
const DEFAULT_DAYS = 90;
const DAY_MS = 24 * 3600 * 1000;
const HINT_CHARACTERS = 4;

/** The data of a new key, which may replace another one */
export function createKeyMaking(deps: {
  store: KeyStore;
  findMemberRole: FindMemberRole;
  /** Maximum lifetime of a key, in days */
  maxDays: number;
  clock: () => Date;
}) {
  const { store, findMemberRole, maxDays, clock } = deps;
  const inDays = (days: number) => new Date(clock().getTime() + days * DAY_MS);

  /** @throws {Problem} 400 for a time that has passed, or is too far away */
  function expiryOf(wanted: Date | undefined): Date {
    if (wanted === undefined) return inDays(Math.min(DEFAULT_DAYS, maxDays));
    if (wanted > clock() && wanted <= inDays(maxDays)) return wanted;
    const detail = `A time to come, at most ${maxDays} days ahead.`;
    throw validationFailed([{ pointer: '/expires_at', code: 'out_of_range', detail }]);
  }

  /** @throws {Problem} 403 `role_escalation` for a scope that the account or the maker does not have */
  async function refuseScopesBeyond(
    change: Change,
    maker: Maker,
    account: ServiceAccount,
    scopes: readonly string[],
  ): Promise<void> {
    const beyond = scopes.filter((scope) => !roleHas(account.role, scope as Scope));
    if (beyond.length > 0) {
      throw problem('role_escalation', {
        detail: `The role ${account.role} of the service account does not allow: ${beyond.join(' ')}.`,
      });
    }
    await refuseEscalation(change, maker, scopes as readonly Scope[], findMemberRole);
  }

  async function insert(
    change: Change,
    maker: Maker,
    account: ServiceAccount,
    wanted: Omit<CreateApiKey, 'expires_at'> & { readonly expiresAt: Date },
    maxLive: number,
  ): Promise<NewApiKey> {
    const { live, all } = await store.count(change, account.id);
    if (live >= maxLive || all >= MAX_WITH_ENDED) throw quotaExceeded();
    const id = ApiKeyId.parse(`key_${ulid(clock().getTime())}`);
    const key = newSecretToken('apiKey');
    const hash = hashOfSecretToken('apiKey', key);
    if (!hash) throw new Error('a new key is none');
    const hint = key.slice(-HINT_CHARACTERS);
    await store.create(change, account.id, { id, ...wanted, hash, hint }, maker);
    return { ...existing('API key', await store.read(change, account.id, id)), key };
  }

  return { expiryOf, refuseScopesBeyond, insert };
}

const quotaExceeded = (): Problem =>
  problem('quota_exceeded', {
    detail:
      'The service account has 10 valid API keys, which is the maximum, or too many that ended within the last 30 days. Revoke one, or wait.',
  });
