import { epochSeconds } from '@legate/jwt';
import type { Logger } from '@legate/service/outbound';
import type { Caller } from '../domain/caller.ts';
import type { Connector } from '../domain/connector.ts';
import type { OAuthPkceSettings } from '../domain/method-settings.ts';
import type {
  UserAuthorizationDiscovery,
  WhereToConsent,
} from '../oauth-peers/discovery/discover-user-authorization.ts';
import type { PeerFailure } from '../oauth-peers/peer-failure.ts';
import {
  type AuthorizationClient,
  createAuthorizationClient,
  redeemRefreshToken,
  revokeAt,
} from './authorization-client.ts';
import {
  type Connection,
  type ConnectionOwner,
  connectionOwnerOf,
  isMadeWith,
  type KeptConnection,
  type UsableConnection,
} from './connection.ts';
import type { Connections } from './connection-store.ts';
import { type ConsentClientOf, whereToConsent } from './consent-client.ts';
import { checkTokens } from './granted-tokens.ts';

/** Seconds before its end from which an access token is no longer handed out while a new one can be had. */
const RENEW_BEFORE_SECONDS = 60;

export type Refreshed =
  | { readonly kind: 'fresh'; readonly connection: UsableConnection }
  /** The user must connect again. */
  | { readonly kind: 'ended'; readonly reason: string }
  | Exclude<PeerFailure, { kind: 'refused' }>;

/**
 * A connection whose access token is good for a while.
 * @param rejected an access token that the tool server did not take
 */
export type FreshConnection = (
  user: Pick<Caller, 'organizationId' | 'userId'>,
  connector: Connector,
  settings: OAuthPkceSettings,
  kept: KeptConnection,
  rejected: string | undefined,
) => Promise<Refreshed>;

/**
 * Refreshes with rotation, such that no refresh token is ever sent twice, by however many processes: an authorization
 * server takes a second use for theft, and ends all that the user has consented to (RFC 9700 §4.14.2).
 *
 * Each generation of tokens can be claimed once, before its refresh token is sent, and the claim stays. Who does not get it
 * waits for the next generation to appear. If none does, whoever had the claim is gone, and whether the token was used
 * nobody knows: so it is given up, never tried. The next generation is written only over the one it was made of.
 * docs/adr/0026 goes through what is left by a crash at each point.
 */
export function createFreshConnection(deps: {
  connections: Connections;
  /** Not from memory: an authorization server that is away, or another one by now, must be noticed before it is sent. */
  discover: (where: WhereToConsent) => Promise<UserAuthorizationDiscovery>;
  clientOf: ConsentClientOf;
  fetch: typeof globalThis.fetch;
  clock: () => Date;
  pause: () => Promise<void>;
  /**
   * How often it is looked again what another process has made of a claim: for longer than a refresh may take, so that by
   * then it has stored the new tokens, or never will.
   */
  maxPauses: number;
  log: Logger;
}): FreshConnection {
  const { connections, log } = deps;
  const now = () => epochSeconds(deps.clock());

  return async (user, connector, settings, first, rejected) => {
    const owner = connectionOwnerOf(user, connector);
    const isUsable = <Kept extends Connection>(connection: Kept): connection is Kept & UsableConnection =>
      connection.accessToken !== undefined &&
      connection.accessToken !== rejected &&
      connection.expiresAt > now();
    const isFresh = <Kept extends Connection>(connection: Kept): connection is Kept & UsableConnection =>
      isUsable(connection) && connection.expiresAt - now() > RENEW_BEFORE_SECONDS;
    /** What is left when there will be no new token */
    const lastOf = (connection: Connection, otherwise: Refreshed): Refreshed =>
      isUsable(connection) ? { kind: 'fresh', connection } : otherwise;

    let client: AuthorizationClient | undefined;
    let kept: KeptConnection | undefined = first;
    for (let pauses = 0; ; pauses += 1) {
      if (isFresh(kept)) return { kind: 'fresh', connection: kept };
      if (kept.refreshToken === undefined)
        return lastOf(kept, { kind: 'ended', reason: 'there is no refresh token' });
      if (!client || !isOf(client, kept)) {
        const found = await clientFor(owner, connector, settings, kept);
        if ('kind' in found) return found.kind === 'ended' ? found : lastOf(kept, found);
        client = found.client;
      }
      if (client && (await connections.claim(kept)))
        return refresh(client, owner, connector, kept, kept.refreshToken);
      if (pauses === deps.maxPauses)
        return giveUp(owner, kept, 'nobody has told what became of its refresh token');
      await deps.pause();
      kept = await findAgain(owner);
      if (!kept) return { kind: 'ended', reason: 'it was ended meanwhile' };
    }

    /** Undefined also for one of the connector as it is registered by now: its tokens are not for where we would call. */
    async function findAgain(owner: ConnectionOwner): Promise<KeptConnection | undefined> {
      const { connection } = await connections.find(owner);
      return connection?.registration === first.registration ? connection : undefined;
    }

    async function refresh(
      client: AuthorizationClient,
      owner: ConnectionOwner,
      { resource }: Connector,
      kept: KeptConnection,
      refreshToken: string,
    ): Promise<Refreshed> {
      const answer = await redeemRefreshToken(client, refreshToken, resource);
      if (answer.kind === 'answered') {
        const tokens = checkTokens(answer.body, { resource, scopes: kept.scopes }, now());
        if (typeof tokens !== 'string') return keep(client, owner, kept, tokens);
        await revokeAt(client, {
          accessToken: answer.body.access_token,
          refreshToken: answer.body.refresh_token,
        });
        await giveUp(owner, kept, tokens);
        return { kind: 'unusable', reason: tokens };
      }
      if (answer.kind === 'declined') return end(owner, kept, 'access_denied');
      const { failure, isSpent } = answer;
      if (failure.kind === 'refused' && failure.error === 'invalid_grant')
        return end(owner, kept, 'its refresh token is no longer valid');
      if (isSpent) {
        const left = await giveUp(owner, kept, 'reason' in failure ? failure.reason : failure.error);
        return left.kind === 'ended' && failure.kind === 'unusable' ? failure : left;
      }
      await connections.release(kept);
      return lastOf(kept, failure.kind === 'refused' ? refusedAs(failure.error) : failure);
    }

    async function keep(
      client: AuthorizationClient,
      owner: ConnectionOwner,
      kept: KeptConnection,
      tokens: Exclude<ReturnType<typeof checkTokens>, string>,
    ): Promise<Refreshed> {
      const next: UsableConnection = {
        ...kept,
        generation: kept.generation + 1,
        accessToken: tokens.accessToken,
        // RFC 6749 §6: without a new one the old one stays valid, and belongs to the next generation as well.
        refreshToken: tokens.refreshToken ?? kept.refreshToken,
        expiresAt: tokens.expiresAt ?? kept.endsAt,
        scopes: tokens.scopes,
      };
      const about = { connector_id: owner.connectorId, organization_id: owner.organizationId };
      try {
        if (await connections.replace(owner, kept, next)) return { kind: 'fresh', connection: next };
      } catch (err) {
        // This call can be served. The refresh token is lost, and the next ones find out.
        log.error({ err, ...about, user_id: owner.userId }, 'connection: new tokens could not be stored');
        return { kind: 'fresh', connection: next };
      }
      await revokeAt(client, next); // nobody will ever use them
      return ofNextConsent(owner, kept, 'it was ended or replaced while it was refreshed');
    }

    /**
     * Leaves the access token, which may be good for a few seconds more, and nothing to refresh it with. Where somebody
     * else has written meanwhile, what is there now counts: it may have been refreshed after all, or the user may have
     * ended it, and then its token is not used once more.
     */
    async function giveUp(owner: ConnectionOwner, kept: KeptConnection, reason: string): Promise<Refreshed> {
      const isGivenUp = await connections.replace(owner, kept, { ...kept, refreshToken: undefined });
      const left = isGivenUp ? kept : await findAgain(owner);
      const ended: Refreshed = { kind: 'ended', reason };
      return left ? lastOf(left, ended) : ended;
    }

    async function end(owner: ConnectionOwner, kept: KeptConnection, reason: string): Promise<Refreshed> {
      const isEnded = await connections.replace(owner, kept, undefined);
      return isEnded ? { kind: 'ended', reason } : ofNextConsent(owner, kept, reason);
    }

    /** This consent is over. The user may have given another one meanwhile, and need not do so twice. */
    async function ofNextConsent(
      owner: ConnectionOwner,
      { id }: KeptConnection,
      reason: string,
    ): Promise<Refreshed> {
      const next = await findAgain(owner);
      const ended: Refreshed = { kind: 'ended', reason };
      return next && next.id !== id ? lastOf(next, ended) : ended;
    }
  };

  async function clientFor(
    owner: ConnectionOwner,
    connector: Connector,
    settings: OAuthPkceSettings,
    kept: KeptConnection,
  ): Promise<{ client: AuthorizationClient } | Refreshed> {
    const own = deps.clientOf(connector, settings);
    const discovery = await deps.discover(whereToConsent(connector.resource, own));
    if (discovery.kind === 'unsupported') return { kind: 'unusable', reason: discovery.reason };
    if (discovery.kind !== 'found') return discovery;
    if (discovery.authorization.issuer !== kept.issuer) {
      await connections.replace(owner, kept, undefined);
      return { kind: 'ended', reason: 'the tool server has another authorization server now' };
    }
    if (!isMadeWith(kept, kept.issuer, own.clientId))
      return { kind: 'ended', reason: 'we are another client there now' };
    try {
      return { client: await createAuthorizationClient(discovery.authorization, own, deps.fetch) };
    } catch {
      return { kind: 'unusable', reason: 'our private key cannot be used' };
    }
  }
}

const isOf = (client: AuthorizationClient, kept: Connection): boolean =>
  isMadeWith(kept, client.serverMetadata().issuer, client.clientMetadata().client_id);

const refusedAs = (error: string): Refreshed =>
  error === 'temporarily_unavailable' || error === 'server_error' || error === 'slow_down'
    ? { kind: 'unavailable', reason: error, retryable: false }
    : { kind: 'unusable', reason: `it refuses to refresh (${error})` };
