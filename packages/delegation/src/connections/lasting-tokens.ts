import type { Logger } from '@legate/service/outbound';
import type { PeerFailure } from '../oauth-peers/peer-failure.ts';
import { type AuthorizationClient, revokeAt } from './authorization-client.ts';
import type { Connection, ConnectionOwner, KeptConnection, UsableConnection } from './connection.ts';
import type { Connections } from './connection-store.ts';
import type { GrantedTokens } from './granted-tokens.ts';

/** Seconds before expiry from which an access token is no longer used if a new one can be obtained. */
const RENEW_BEFORE_SECONDS = 60;

export type Refreshed =
  | { readonly kind: 'fresh'; readonly connection: UsableConnection }
  /** The user must connect again. */
  | { readonly kind: 'ended'; readonly reason: string }
  | Exclude<PeerFailure, { kind: 'refused' }>;

/**
 * The usable tokens of a connection, while it is refreshed and after a refresh has failed.
 * @param deps.registration of the connector for which the connection was made
 * @param deps.rejected an access token that the tool server rejected
 */
export function createLastingTokens(deps: {
  connections: Connections;
  owner: ConnectionOwner;
  registration: string;
  rejected: string | undefined;
  now: () => number;
  log: Logger;
}) {
  const { connections, owner, registration, rejected, now, log } = deps;
  const isUsable = <Kept extends Connection>(connection: Kept): connection is Kept & UsableConnection =>
    connection.accessToken !== undefined &&
    connection.accessToken !== rejected &&
    connection.expiresAt > now();
  const isFresh = <Kept extends Connection>(connection: Kept): connection is Kept & UsableConnection =>
    isUsable(connection) && connection.expiresAt - now() > RENEW_BEFORE_SECONDS;
  /** Returns the result if there will be no new token. */
  const lastOf = (connection: Connection, otherwise: Refreshed): Refreshed =>
    isUsable(connection) ? { kind: 'fresh', connection } : otherwise;

  /**
   * Returns undefined also for a connection of another registration: its tokens are not for the server that is called
   * now.
   */
  async function findAgain(): Promise<KeptConnection | undefined> {
    const { connection } = await connections.find(owner);
    return connection?.registration === registration ? connection : undefined;
  }

  /** Handles a consent that has ended. The user may have consented again meanwhile, and need not repeat it. */
  async function ofNextConsent({ id }: KeptConnection, reason: string): Promise<Refreshed> {
    const next = await findAgain();
    const ended: Refreshed = { kind: 'ended', reason };
    return next && next.id !== id ? lastOf(next, ended) : ended;
  }

  return {
    isFresh,
    lastOf,
    findAgain,
    async keep(client: AuthorizationClient, kept: KeptConnection, tokens: GrantedTokens): Promise<Refreshed> {
      const next: UsableConnection = {
        ...kept,
        generation: kept.generation + 1,
        accessToken: tokens.accessToken,
        // RFC 6749 §6: if the response has no new refresh token, the old one stays valid, and belongs to the next
        // generation too.
        refreshToken: tokens.refreshToken ?? kept.refreshToken,
        expiresAt: tokens.expiresAt ?? kept.endsAt,
        scopes: tokens.scopes,
      };
      const about = { connector_id: owner.connectorId, organization_id: owner.organizationId };
      try {
        if (await connections.replace(owner, kept, next)) return { kind: 'fresh', connection: next };
      } catch (err) {
        // This call can be served. The refresh token is lost, which later calls will find out.
        log.error({ err, ...about, user_id: owner.userId }, 'connection: new tokens could not be stored');
        return { kind: 'fresh', connection: next };
      }
      await revokeAt(client, next); // these tokens will not be used
      return ofNextConsent(kept, 'it was ended or replaced while it was refreshed');
    },
    /**
     * Stores the access token, which may be valid for a few more seconds, without a refresh token. If another process
     * has written meanwhile, its data is used: the token may have been refreshed after all, or the user may have
     * disconnected.
     */
    async giveUp(kept: KeptConnection, reason: string): Promise<Refreshed> {
      const isGivenUp = await connections.replace(owner, kept, { ...kept, refreshToken: undefined });
      const left = isGivenUp ? kept : await findAgain();
      const ended: Refreshed = { kind: 'ended', reason };
      return left ? lastOf(left, ended) : ended;
    },
    async end(kept: KeptConnection, reason: string): Promise<Refreshed> {
      const isEnded = await connections.replace(owner, kept, undefined);
      return isEnded ? { kind: 'ended', reason } : ofNextConsent(kept, reason);
    },
  };
}
