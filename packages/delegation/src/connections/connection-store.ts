import { randomUUID } from 'node:crypto';
import type { UserId } from '@legate/ids';
import { type SecureStore, UnreadableEntry } from '@legate/secure-store';
import type { Logger } from '@legate/service/outbound';
import type { RevokedTokens } from '../token-cache/token-keys.ts';
import {
  type Connection,
  type ConnectionOwner,
  type Epochs,
  hashOf,
  type KeptConnection,
  parseRecord,
  toAccessTokenRecord,
  toRecord,
  withAccessToken,
} from './connection.ts';

/**
 * Selects all connections of an organization, of one of its connectors, of one of its users, or of that user at that
 * connector.
 */
export type RevokedConnections = RevokedTokens | Omit<ConnectionOwner, 'scopesKey'>;

/** The longest that an access token is kept (product spec §5) */
const MAX_ACCESS_TOKEN_SECONDS = 3600;

export interface Found {
  readonly connection: KeptConnection | undefined;
  readonly epochs: Epochs;
}

/**
 * Users' connections, encrypted, under `connection:{org_id}:{connector_id}:{user_id}`. Unlike cache entries, a lost one
 * requires the user's consent again. Access tokens are stored separately, under `connection-token:{connection}:{hash}`,
 * until they expire and at most an hour; a lost one is refreshed.
 *
 * Revoked by epochs, like the token cache: one write ends any number of connections, including those of users who are
 * just consenting. The epochs are separate from the token cache's, which a sign-out changes too: signing out ends no
 * connection.
 *
 * @throws {Error} each of them, when the store cannot be reached
 */
export interface Connections {
  find(owner: ConnectionOwner): Promise<Found>;
  /** Replaces the owner's existing connection, if any. */
  create(owner: ConnectionOwner, connection: Connection): Promise<void>;
  /**
   * Writes the next generation, or deletes the connection.
   * @returns false if the connection has changed: it was revoked, replaced or refreshed meanwhile
   */
  replace(owner: ConnectionOwner, kept: KeptConnection, next: Connection | undefined): Promise<boolean>;
  /**
   * Claims the right to send the refresh token of this generation.
   * @returns false if another process has or had this right
   */
  claim(connection: Connection): Promise<boolean>;
  /** Releases that right: the refresh token was not sent to anyone. */
  release(connection: Connection): Promise<void>;
  revoke(connections: RevokedConnections): Promise<void>;
}

/** @param deps.ttlSeconds the maximum lifetime of a connection */
export function createConnections(deps: {
  store: SecureStore;
  ttlSeconds: number;
  clock: () => Date;
  log: Logger;
}): Connections {
  const { store, log } = deps;
  const nowSeconds = () => Math.floor(deps.clock().getTime() / 1000);
  const secondsLeft = ({ endsAt }: Connection) => Math.max(1, endsAt - nowSeconds());

  /** The token is stored before the record of its generation, so that readers of the record find the token. */
  async function keepAccessToken(connection: Connection): Promise<void> {
    const { id, accessToken } = connection;
    if (accessToken === undefined) return;
    const ttlSeconds = Math.min(connection.expiresAt - nowSeconds(), MAX_ACCESS_TOKEN_SECONDS);
    if (ttlSeconds > 0)
      await store.set(accessTokenKey(id, hashOf(accessToken)), toAccessTokenRecord(connection), ttlSeconds);
  }

  async function findAccessToken(kept: KeptConnection): Promise<KeptConnection> {
    if (kept.accessTokenHash === undefined) return kept;
    const [record] = await store.getMany([accessTokenKey(kept.id, kept.accessTokenHash)]);
    return typeof record === 'string' ? withAccessToken(kept, record) : kept;
  }

  return {
    async find(owner) {
      const { organizationId, connectorId, userId } = owner;
      const [record, ...current] = await store.getMany([
        connectionKey(owner),
        epochKey({ organizationId }),
        epochKey({ organizationId, connectorId }),
        epochKey({ organizationId, userId }),
        epochKey({ organizationId, connectorId, userId }),
      ]);
      // An unreadable epoch counts as different from every epoch that was written.
      const epochs = current.map((epoch) => (epoch instanceof UnreadableEntry ? '!' : (epoch ?? null)));
      if (record instanceof UnreadableEntry)
        log.warn({ err: record, connector_id: connectorId }, 'connection cannot be read');
      const kept = typeof record === 'string' ? parseRecord(record) : undefined;
      const isThere = kept && kept.endsAt > nowSeconds() && isOf(kept.epochs, epochs);
      return { connection: isThere ? await findAccessToken(kept) : undefined, epochs };
    },
    async create(owner, connection) {
      const withAccessToken = connection.refreshToken === undefined;
      if (!withAccessToken) await keepAccessToken(connection);
      await store.set(
        connectionKey(owner),
        toRecord(connection, { withAccessToken }),
        secondsLeft(connection),
      );
    },
    async replace(owner, kept, next) {
      if (next && next.generation !== kept.generation) await keepAccessToken(next);
      const record = next && toRecord(next, { withAccessToken: false });
      const isReplaced = await store.replace(connectionKey(owner), kept.record, record);
      if (isReplaced && !next && kept.accessTokenHash !== undefined)
        await store.delete(accessTokenKey(kept.id, kept.accessTokenHash));
      return isReplaced;
    },
    claim: (connection) => store.add(claimKey(connection), '1', secondsLeft(connection)),
    async release(connection) {
      await store.delete(claimKey(connection));
    },
    async revoke(revoked) {
      await store.set(epochKey(revoked), randomUUID(), 2 * deps.ttlSeconds);
    },
  };
}

/**
 * An epoch outlives every connection that began before it. So if there is no epoch, every remaining connection began
 * after it.
 */
const isOf = (began: Epochs, current: Epochs): boolean =>
  current.every((epoch, index) => epoch === null || epoch === began[index]);

/** @throws {Error} for a user id with a colon, which could make the key equal to another owner's */
function connectionKey({ organizationId, connectorId, userId, scopesKey }: ConnectionOwner): string {
  checkUser(userId);
  const connector = scopesKey === undefined ? connectorId : `${connectorId}@${scopesKey}`;
  return `connection:${organizationId}:${connector}:${userId}`;
}

const accessTokenKey = (connectionId: string, accessTokenHash: string): string =>
  `connection-token:${connectionId}:${accessTokenHash}`;

function epochKey({ organizationId, connectorId, userId }: RevokedConnections): string {
  if (userId !== undefined) checkUser(userId);
  return `connection-epoch:${organizationId}:${connectorId ?? ''}:${userId ?? ''}`;
}

const claimKey = ({ id, generation }: Connection): string => `connection-refresh:${id}:${generation}`;

function checkUser(userId: UserId): void {
  if (userId.includes(':')) throw new Error('a user in the key of a connection has a colon');
}
