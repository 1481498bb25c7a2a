import { epochSeconds } from '@legate/jwt';
import type { Logger } from '@legate/service/outbound';
import type { Caller } from '../domain/caller.ts';
import type { Connector } from '../domain/connector.ts';
import type { PeerFailure } from '../oauth-peers/peer-failure.ts';
import { type Rotation, refreshOnce } from '../oauth-peers/refresh-once.ts';
import {
  type AuthorizationClient,
  redeemRefreshToken,
  revokeAt,
  type TokenAnswer,
  withAdvice,
} from './authorization-client.ts';
import { clientForRefresh, isOf, type WhereToRefresh } from './client-for-refresh.ts';
import { connectionOwnerOf, type KeptConnection } from './connection.ts';
import type { Connections } from './connection-store.ts';
import type { ConsentSettings } from './consent-client.ts';
import { checkTokens } from './granted-tokens.ts';
import { createLastingTokens, type Refreshed } from './lasting-tokens.ts';

export type { Refreshed } from './lasting-tokens.ts';

/**
 * Returns a connection whose access token is valid for some time.
 * @param rejected an access token that the tool server rejected
 */
export type FreshConnection = (
  user: Pick<Caller, 'organizationId' | 'userId'>,
  connector: Connector,
  settings: ConsentSettings,
  kept: KeptConnection,
  rejected: string | undefined,
) => Promise<Refreshed>;

/** The data that a process may send after it has claimed a generation. */
interface Claimed {
  readonly client: AuthorizationClient;
  readonly kept: KeptConnection;
  readonly refreshToken: string;
}

/**
 * Refreshes connections, by the rule for refresh tokens (`refreshOnce`). Each generation of tokens can be claimed once,
 * and the claim does not expire. The next generation replaces only the generation that it was obtained with.
 * docs/adr/0059 describes the state after a crash.
 */
export function createFreshConnection(
  deps: WhereToRefresh & {
    connections: Connections;
    clock: () => Date;
    pause: () => Promise<void>;
    /**
     * Number of times to check for the result of another process's claim. The total must be longer than a refresh may
     * take, so that after it the new tokens are stored, or never will be.
     */
    maxPauses: number;
    log: Logger;
  },
): FreshConnection {
  const { connections, log } = deps;
  const now = () => epochSeconds(deps.clock());

  return async (user, connector, settings, first, rejected) => {
    const { resource } = connector;
    const owner = connectionOwnerOf(user, connector);
    const { registration } = first;
    const lasting = createLastingTokens({ connections, owner, registration, rejected, now, log });
    const { isFresh, lastOf, findAgain, giveUp } = lasting;
    let client: AuthorizationClient | undefined;

    const leave = async ({ kept }: Claimed, failure: PeerFailure): Promise<Refreshed> => {
      await connections.release(kept);
      return lastOf(kept, failure.kind === 'refused' ? refusedAs(failure.error) : failure);
    };
    const abandon = async ({ kept }: Claimed, failure: PeerFailure): Promise<Refreshed> => {
      const left = await giveUp(kept, 'reason' in failure ? failure.reason : failure.error);
      return left.kind === 'ended' && failure.kind === 'unusable' ? failure : left;
    };
    const rotation: Rotation<KeptConnection, Claimed, TokenAnswer, PeerFailure, Refreshed> = {
      async settled(kept) {
        if (isFresh(kept)) return { kind: 'fresh', connection: kept };
        if (kept.refreshToken === undefined)
          return lastOf(kept, { kind: 'ended', reason: 'there is no refresh token' });
        if (client && isOf(client, kept)) return undefined;
        const found = await clientForRefresh(deps, owner, connector, settings, kept);
        if ('kind' in found) return found.kind === 'ended' ? found : lastOf(kept, found);
        client = found.client;
        return undefined;
      },
      async claim(kept) {
        const { refreshToken } = kept;
        if (!client || refreshToken === undefined || !(await connections.claim(kept))) return undefined;
        return { client, kept, refreshToken };
      },
      send: (claimed) => redeemRefreshToken(claimed.client, claimed.refreshToken, resource),
      async keep(claimed, answer) {
        const tokens = checkTokens(answer, { resource, scopes: claimed.kept.scopes }, now());
        if (typeof tokens !== 'string') return lasting.keep(claimed.client, claimed.kept, tokens);
        await revokeAt(claimed.client, {
          accessToken: answer.access_token,
          refreshToken: answer.refresh_token,
        });
        await giveUp(claimed.kept, tokens);
        return { kind: 'unusable', reason: tokens };
      },
      end: ({ kept }) => lasting.end(kept, 'its refresh token is no longer valid'),
      refuse: leave,
      release: leave,
      lose: abandon,
      spoil: abandon,
      pause: deps.pause,
      findAgain,
      gone: () => ({ kind: 'ended', reason: 'it was ended meanwhile' }),
      isAbandoned: (_kept, waits) => waits === deps.maxPauses,
      giveUp: (kept) => giveUp(kept, 'the outcome of its refresh token is unknown'),
    };
    return refreshOnce(first, rotation);
  };
}

const refusedAs = (error: string): Refreshed =>
  error === 'temporarily_unavailable' || error === 'server_error' || error === 'slow_down'
    ? { kind: 'unavailable', reason: error, retryable: false }
    : { kind: 'unusable', reason: `it refuses to refresh (${withAdvice(error)})` };
