import { hash } from 'node:crypto';
import { createTokenReader } from '@legate/authorization-server';
import { epochSeconds } from '@legate/jwt';
import type { Backend } from '@legate/secure-store';
import { z } from 'zod';
import { createLatest } from '../domain/latest.ts';
import { sessionStoreUnavailable } from '../refusals/sign-in-problems.ts';

/** An access token of the hub's authorization server, which stands for a session. */
export interface ClientToken {
  readonly sessionKey: string;
  /** Resource identifier of the URL at which the token is valid */
  readonly resource: string;
}

/**
 * Distinguishes an access token from an ID token and a handle without a lookup, and helps scanners to find leaked
 * secrets.
 */
export const CLIENT_TOKEN_PREFIX = 'lat_';
/** Prefix of the names of everything that the hub's authorization server stores */
export const CLIENT_STATE_PREFIX = 'as:';

export const toClientToken = (token: string): string => CLIENT_TOKEN_PREFIX + token;
export const withoutClientPrefix = (token: string): string => token.slice(CLIENT_TOKEN_PREFIX.length);

/** An access token as oidc-provider stores it: `accountId` is the session's key. */
const Stored = z.object({ accountId: z.string(), aud: z.string(), exp: z.number() });

export type ClientTokens = ReturnType<typeof createClientTokens>;

/**
 * Finds the session of an access token. The result is cached, because it never changes: revoking a token ends its
 * session, which is read for each request anyway.
 */
export function createClientTokens(deps: { backend: Backend; clock: () => Date }) {
  const read = createTokenReader({ backend: deps.backend, prefix: CLIENT_STATE_PREFIX });
  const known = createLatest<ClientToken & { exp: number }>(10_000);

  const living = (found: (ClientToken & { exp: number }) | undefined): ClientToken | undefined =>
    found && found.exp > epochSeconds(deps.clock()) ? found : undefined;

  async function load(token: string) {
    const stored = await read('AccessToken', withoutClientPrefix(token)).catch((err: unknown) => {
      throw sessionStoreUnavailable(err);
    });
    const parsed = Stored.safeParse(stored?.payload);
    if (!parsed.success) return undefined;
    const { accountId, aud, exp } = parsed.data;
    const found = { sessionKey: accountId, resource: aud, exp };
    known.set(hash('sha256', token, 'base64url'), found);
    return found;
  }

  return {
    /**
     * @returns undefined for a token that was never issued or has expired; without a promise for one that is cached
     * @throws {Problem} 503 `session_store_unavailable`
     */
    find(token: string): ClientToken | undefined | Promise<ClientToken | undefined> {
      const found = known.get(hash('sha256', token, 'base64url'));
      return found ? living(found) : load(token).then(living);
    },
  };
}
