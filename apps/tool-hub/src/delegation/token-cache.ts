import type { SecureStore } from '@legate/secure-store';
import type { Logger } from '@legate/service';
import { z } from 'zod';
import type { Credential } from './delegation.ts';

/** Whose token for which connector. None of the three may hold a colon. */
export interface TokenOwner {
  readonly organizationId: string;
  readonly connectorId: string;
  readonly userId: string;
}

/**
 * Access tokens between calls, encrypted. It is a help, never a need: what cannot be read is a miss, what cannot be written
 * is used once.
 */
export interface TokenCache {
  find(owner: TokenOwner): Promise<Credential | undefined>;
  store(owner: TokenOwner, credential: Credential): Promise<void>;
  /** @throws {Error} when the store cannot be reached: whoever signs out must learn that the token is still there */
  remove(owner: TokenOwner): Promise<void>;
}

/** The cached token record (product spec §2), without the refresh token: none is kept. */
const CachedToken = z.object({
  access_token: z.string(),
  expires_at: z.number(),
  scopes: z.array(z.string()),
});

/** Seconds that a token must live on after it has left the cache (product spec §5). */
const MARGIN_SECONDS = 300;
const MAX_TTL_SECONDS = 3600;

/**
 * `token:{org_id}:{connector_id}:{user_id}` (product spec §5).
 * @throws {Error} for an id with a colon: it would let one owner's key be another's
 */
export function tokenKey(owner: TokenOwner): string {
  const parts = [owner.organizationId, owner.connectorId, owner.userId];
  if (parts.some((part) => part === '' || part.includes(':')))
    throw new Error('an id in a token key is empty or has a colon');
  return `token:${parts.join(':')}`;
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

  return {
    async find(owner) {
      let text: string | undefined;
      try {
        text = await store.get(tokenKey(owner));
      } catch (err) {
        onLookup('error');
        log.warn({ err, connector_id: owner.connectorId }, 'token cache: entry cannot be read');
        return undefined;
      }
      const credential = text === undefined ? undefined : parse(text, nowSeconds());
      onLookup(credential ? 'hit' : 'miss');
      return credential;
    },
    async store(owner, { accessToken, expiresAt, scopes }) {
      if (expiresAt === undefined) return; // how long it may be kept is not known
      const ttlSeconds = cacheTtlSeconds(expiresAt - nowSeconds());
      if (ttlSeconds <= 0) return;
      const record = { access_token: accessToken, expires_at: expiresAt, scopes };
      await store.set(tokenKey(owner), JSON.stringify(record), ttlSeconds).catch((err: unknown) => {
        log.warn({ err, connector_id: owner.connectorId }, 'token cache: entry cannot be written');
      });
    },
    async remove(owner) {
      await store.delete(tokenKey(owner));
    },
  };
}

/** An entry of another version of this program counts as absent; so does one that a slow clock kept too long. */
function parse(text: string, now: number): Credential | undefined {
  const parsed = CachedToken.safeParse(safeJson(text));
  if (!parsed.success || parsed.data.expires_at <= now) return undefined;
  const { access_token, expires_at, scopes } = parsed.data;
  return { accessToken: access_token, expiresAt: expires_at, scopes };
}

/** Without the parser's message: it would quote the text. */
function safeJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
