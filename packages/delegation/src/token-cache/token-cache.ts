import { randomUUID } from 'node:crypto';
import { tokenId } from '@legate/jwt';
import { type SecureStore, UnreadableEntry } from '@legate/secure-store';
import type { Logger } from '@legate/service/outbound';
import type { Authentication } from '../domain/caller.ts';
import type { AccessToken } from '../domain/delegation.ts';
import type { StoreEntry } from '../domain/sign-outs.ts';
import { changeKept } from './change-kept.ts';
import type { SignInDemand } from './demands.ts';
import {
  EPOCHS,
  epochKey,
  epochKeysOf,
  type RevokedTokens,
  type TokenOwner,
  type TokensOfUser,
  tokenKey,
} from './token-keys.ts';
import {
  chooseToken,
  type KeepingUse,
  type Kept,
  parseKept,
  type TokenUse,
  withoutRefused,
  withoutToken,
  withToken,
} from './token-record.ts';

export interface Lookup {
  readonly credential: AccessToken | undefined;
  /** Changes with every revocation that concerns the owner; undefined if the store cannot be reached. */
  readonly revocationEpoch: string | undefined;
  /** The values of the additionally requested names; empty if the store cannot be reached */
  readonly further: readonly StoreEntry[];
}

/**
 * Encrypted cache of access tokens. Best effort: an unreadable entry is a miss, and a token that cannot be written is
 * used once.
 *
 * A revocation does not search for tokens: the epochs of the organization, of each connector and of each user are
 * stored next to the tokens, and a token is valid only in the epoch in which its lookup began. So one write revokes any
 * number of tokens in all processes at once, including those still being obtained; and a lookup still needs only one
 * round trip.
 */
export interface TokenCache {
  /** @param names of additional entries to read in the same round trip */
  find(owner: TokenOwner, use: TokenUse, names?: readonly string[]): Promise<Lookup>;
  /**
   * Returns a token that another process has stored since the lookup. Not counted as a lookup.
   * @param revocationEpoch from the previous lookup: a token of another epoch is not returned
   */
  findSince(owner: TokenOwner, use: TokenUse, revocationEpoch: string): Promise<AccessToken | undefined>;
  /**
   * Caches a token for the sign-in that obtained it, and for the operation if one is given.
   * @param revocationEpoch from the lookup before the token was requested; without an epoch the token is not cached
   */
  store(
    owner: TokenOwner,
    use: KeepingUse,
    credential: AccessToken,
    revocationEpoch: string | undefined,
  ): Promise<void>;
  /** Removes a token that the tool server has rejected. If this fails, it costs the next caller one try. */
  drop(owner: TokenOwner, accessToken: string): Promise<void>;
  /** Removes the tokens of an application whose user was denied, or must sign in as required by `demand`. */
  refuse(owner: TokenOwner, authentication: Authentication, demand: SignInDemand): Promise<void>;
  /** @throws {Error} when the store cannot be reached: a user who signs out must learn that the token still exists */
  remove(owner: TokenOwner): Promise<void>;
  /** @throws {Error} when the store cannot be reached */
  revoke(tokens: RevokedTokens | TokensOfUser): Promise<void>;
}

/** Seconds before its expiry at which a token is removed from the cache (product spec §5). */
const MARGIN_SECONDS = 300;
const MAX_TTL_SECONDS = 3600;
/** Seconds. An epoch outlives every token of the previous epoch, and every delegation that began in it. */
const EPOCH_TTL_SECONDS = 2 * MAX_TTL_SECONDS;
/** Returns `min(token_expiry - 300, 3600)` in seconds; zero or less means that the token is not stored. */
export const cacheTtlSeconds = (secondsLeft: number): number =>
  Math.min(secondsLeft - MARGIN_SECONDS, MAX_TTL_SECONDS);

/** @param deps.onLookup called with the outcome of each lookup, for metrics */
export function createTokenCache(deps: {
  store: SecureStore;
  clock: () => Date;
  log: Logger;
  onLookup: (outcome: 'hit' | 'miss' | 'error') => void;
}): TokenCache {
  const { store, clock, log, onLookup } = deps;
  const nowSeconds = () => Math.floor(clock().getTime() / 1000);

  function unreadable(err: unknown, { connectorId }: TokenOwner): void {
    onLookup('error');
    log.warn({ err, connector_id: connectorId }, 'token cache: entry cannot be read');
  }

  /** @throws {Error} when the store cannot be reached */
  async function read(owner: TokenOwner, use: TokenUse, names: readonly string[] = []) {
    const { registration } = owner;
    const [token, ...others] = await store.getMany([tokenKey(owner), ...epochKeysOf(owner), ...names]);
    const epochs = others.slice(0, EPOCHS);
    const further = others.slice(EPOCHS);
    // An unreadable epoch counts as different from every epoch that was written.
    const revocationEpoch = epochs
      .map((part) => (part instanceof UnreadableEntry ? '!' : (part ?? '')))
      .join('|');
    if (token === undefined || token instanceof UnreadableEntry)
      return { credential: undefined, revocationEpoch, further, fault: token };
    const found = chooseToken(parseKept(token), use, {
      now: nowSeconds(),
      epoch: revocationEpoch,
      registration,
    });
    return { credential: found && toCredential(found), revocationEpoch, further, fault: undefined };
  }

  const change = async (owner: TokenOwner, ttlSeconds: number, next: (kept: Kept) => Kept) =>
    changeKept(store, tokenKey(owner), ttlSeconds, next);

  const notWritten =
    ({ connectorId }: TokenOwner) =>
    (err: unknown) => {
      log.warn({ err, connector_id: connectorId }, 'token cache: entry cannot be written');
    };

  return {
    async find(owner, use, names) {
      try {
        const { fault, ...found } = await read(owner, use, names);
        if (fault) unreadable(fault, owner);
        else onLookup(found.credential ? 'hit' : 'miss');
        return found;
      } catch (err) {
        unreadable(err, owner);
        return { credential: undefined, revocationEpoch: undefined, further: [] };
      }
    },
    async findSince(owner, use, revocationEpoch) {
      const found = await read(owner, use).catch(() => undefined);
      return found?.revocationEpoch === revocationEpoch ? found.credential : undefined;
    },
    async store(owner, use, credential, revocationEpoch) {
      const { expiresAt } = credential;
      if (expiresAt === undefined) return; // its lifetime is unknown
      if (revocationEpoch === undefined) return; // a concurrent revocation would miss it
      if (!use.method.issuesTokens) return; // the token was not issued for us
      const now = nowSeconds();
      const ttlSeconds = cacheTtlSeconds(expiresAt - now);
      if (ttlSeconds <= 0) return;
      const { registration } = owner;
      const id = tokenId(credential.accessToken);
      const validity = { now, epoch: revocationEpoch, registration };
      const facts = { ...validity, id, keptUntil: now + ttlSeconds, ...use };
      await change(owner, ttlSeconds, (kept) => withToken(kept, { ...credential, expiresAt }, facts)).catch(
        notWritten(owner),
      );
    },
    async drop(owner, accessToken) {
      await change(owner, MAX_TTL_SECONDS, (kept) => withoutToken(kept, accessToken)).catch(
        notWritten(owner),
      );
    },
    async refuse(owner, authentication, demand) {
      const now = nowSeconds();
      const until = { now, keptUntil: now + MAX_TTL_SECONDS };
      await change(owner, MAX_TTL_SECONDS, (kept) =>
        withoutRefused(kept, authentication, demand, until),
      ).catch(notWritten(owner));
    },
    async remove(owner) {
      await store.delete(tokenKey(owner));
    },
    async revoke(tokens) {
      await store.set(epochKey(tokens), randomUUID(), EPOCH_TTL_SECONDS);
    },
  };
}

function toCredential({ token, id, method }: Kept['tokens'][number]): AccessToken {
  return {
    kind: 'access_token',
    method,
    accessToken: token.access_token,
    id,
    expiresAt: token.expires_at,
    scopes: token.scopes,
  };
}
