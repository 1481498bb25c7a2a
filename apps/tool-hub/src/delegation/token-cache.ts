import { randomUUID } from 'node:crypto';
import { type SecureStore, UnreadableEntry } from '@legate/secure-store';
import type { Logger } from '@legate/service';
import { z } from 'zod';
import { tokenId } from '../audit/token-id.ts';
import { type AccessToken, TOKEN_METHODS } from './delegation.ts';

/** Whose token for which connector. None of the ids may hold a colon. */
export interface TokenOwner {
  readonly organizationId: string;
  readonly connectorId: string;
  readonly userId: string;
  /**
   * Stands for the connector as it is configured. An administrator may point it elsewhere, where a token for the old
   * resource must not go, or take scopes from it.
   */
  readonly registration: string;
  /** Of tokens with fewer scopes than the connector has, for agents. */
  readonly scopesKey?: string | undefined;
}

/** All tokens of an organization, those of one of its connectors, or those of one of its users. */
export type RevokedTokens =
  | { readonly organizationId: string; readonly connectorId?: never; readonly userId?: never }
  | { readonly organizationId: string; readonly connectorId: string; readonly userId?: never }
  | { readonly organizationId: string; readonly connectorId?: never; readonly userId: string };

/** Those of a user in whatever organization: the identity provider knows him, and not where he acts. */
export interface TokensOfUser {
  readonly organizationId?: never;
  readonly connectorId?: never;
  readonly userId: string;
}

export interface Lookup {
  readonly credential: AccessToken | undefined;
  /** Changes with every revocation that concerns the owner; undefined where the store cannot be reached. */
  readonly epoch: string | undefined;
  /** What lies under the further names that were asked for; empty where the store cannot be reached */
  readonly marks: readonly (string | undefined | UnreadableEntry)[];
}

/**
 * Access tokens between calls, encrypted. It is a help, never a need: what cannot be read is a miss, what cannot be written
 * is used once.
 *
 * Nothing is searched for when tokens are revoked: beside them lie the epochs of the organization, of each connector and
 * of each user, and a token counts only in the epoch in which the search for it began. So one write revokes any number of
 * tokens in all processes at once, those included that are on their way; and a lookup is still one round trip.
 */
export interface TokenCache {
  /** @param names of further entries, which are read in the same round trip */
  find(owner: TokenOwner, names?: readonly string[]): Promise<Lookup>;
  /**
   * What another process has stored since. No lookup that is counted.
   * @param epoch from the lookup before: a token of another one is not for who asked then
   */
  findSince(owner: TokenOwner, epoch: string): Promise<AccessToken | undefined>;
  /** @param epoch from the lookup before the token was asked for; without one it is not kept */
  store(owner: TokenOwner, credential: AccessToken, epoch: string | undefined): Promise<void>;
  /** @throws {Error} when the store cannot be reached: whoever signs out must learn that the token is still there */
  remove(owner: TokenOwner): Promise<void>;
  /** @throws {Error} when the store cannot be reached */
  revoke(tokens: RevokedTokens | TokensOfUser): Promise<void>;
}

/** The cached token record (product spec §2), without the refresh token: none is kept; and what it is good for. */
const CachedToken = z.object({
  access_token: z.string(),
  /** `tokenId` of it: found out once, and not for each call */
  access_token_id: z.string(),
  expires_at: z.number(),
  scopes: z.array(z.string()),
  method: z.enum(TOKEN_METHODS),
  registration: z.string(),
  epoch: z.string(),
});

/** Seconds that a token must live on after it has left the cache (product spec §5). */
const MARGIN_SECONDS = 300;
const MAX_TTL_SECONDS = 3600;
/** An epoch outlives every token of the one before, and every delegation that began in it. */
const EPOCH_TTL_SECONDS = 2 * MAX_TTL_SECONDS;
/** Those of the organization, the connector, the user there, and the user */
const EPOCHS = 4;

/**
 * `token:{org_id}:{connector_id}:{user_id}` (product spec §5). A token with fewer scopes is beside it, under a connector
 * that no id can spell.
 * @throws {Error} for an id with a colon: it would let one owner's key be another's
 */
export function tokenKey(owner: Omit<TokenOwner, 'registration'>): string {
  const { organizationId, connectorId, userId, scopesKey } = owner;
  checkIds([organizationId, connectorId, userId]);
  const connector = scopesKey === undefined ? connectorId : `${connectorId}@${scopesKey}`;
  return `token:${organizationId}:${connector}:${userId}`;
}

function checkIds(ids: readonly string[]): void {
  if (ids.some((id) => id === '' || id.includes(':')))
    throw new Error('an id in a token key is empty or has a colon');
}

function epochKey({ organizationId, connectorId, userId }: RevokedTokens | TokensOfUser): string {
  checkIds([organizationId ?? '-', connectorId ?? '-', userId ?? '-']);
  return `epoch:${organizationId ?? ''}:${connectorId ?? ''}:${userId ?? ''}`;
}

/** `min(token_expiry - 300, 3600)` in seconds; zero or less means: do not store. */
export const cacheTtlSeconds = (secondsLeft: number): number =>
  Math.min(secondsLeft - MARGIN_SECONDS, MAX_TTL_SECONDS);

/** @param deps.onLookup told the outcome of each lookup, for metrics */
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
  async function read(owner: TokenOwner, names: readonly string[] = []) {
    const { organizationId, connectorId, userId, registration } = owner;
    const [token, ...others] = await store.getMany([
      tokenKey(owner),
      epochKey({ organizationId }),
      epochKey({ organizationId, connectorId }),
      epochKey({ organizationId, userId }),
      epochKey({ userId }),
      ...names,
    ]);
    const epochs = others.slice(0, EPOCHS);
    const marks = others.slice(EPOCHS);
    // One that cannot be read is another epoch than any that was written.
    const epoch = epochs.map((part) => (part instanceof UnreadableEntry ? '!' : (part ?? ''))).join('|');
    if (token === undefined || token instanceof UnreadableEntry)
      return { credential: undefined, epoch, marks, fault: token };
    const credential = parse(token, { now: nowSeconds(), epoch, registration });
    return { credential, epoch, marks, fault: undefined };
  }

  return {
    async find(owner, names) {
      try {
        const { credential, epoch, marks, fault } = await read(owner, names);
        if (fault) unreadable(fault, owner);
        else onLookup(credential ? 'hit' : 'miss');
        return { credential, epoch, marks };
      } catch (err) {
        unreadable(err, owner);
        return { credential: undefined, epoch: undefined, marks: [] };
      }
    },
    async findSince(owner, epoch) {
      const found = await read(owner).catch(() => undefined);
      return found?.epoch === epoch ? found.credential : undefined;
    },
    async store(owner, { method, accessToken, expiresAt, scopes }, epoch) {
      if (expiresAt === undefined) return; // how long it may be kept is not known
      if (epoch === undefined) return; // a revocation meanwhile would not reach it
      const ttlSeconds = cacheTtlSeconds(expiresAt - nowSeconds());
      if (ttlSeconds <= 0) return;
      const { registration } = owner;
      const record = {
        access_token: accessToken,
        access_token_id: tokenId(accessToken),
        expires_at: expiresAt,
        scopes,
        method,
        registration,
        epoch,
      };
      await store.set(tokenKey(owner), JSON.stringify(record), ttlSeconds).catch((err: unknown) => {
        log.warn({ err, connector_id: owner.connectorId }, 'token cache: entry cannot be written');
      });
    },
    async remove(owner) {
      await store.delete(tokenKey(owner));
    },
    async revoke(tokens) {
      await store.set(epochKey(tokens), randomUUID(), EPOCH_TTL_SECONDS);
    },
  };
}

/** An entry of another version of this program counts as absent; so does one that a slow clock kept too long. */
function parse(
  text: string,
  expected: { now: number; epoch: string; registration: string },
): AccessToken | undefined {
  const parsed = CachedToken.safeParse(safeJson(text));
  if (!parsed.success || parsed.data.expires_at <= expected.now) return undefined;
  const { access_token, access_token_id, expires_at, scopes, method, registration, epoch } = parsed.data;
  if (registration !== expected.registration || epoch !== expected.epoch) return undefined;
  return {
    kind: 'access_token',
    method,
    accessToken: access_token,
    id: access_token_id,
    expiresAt: expires_at,
    scopes,
  };
}

/** Without the parser's message: it would quote the text. */
function safeJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
