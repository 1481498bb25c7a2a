import { hash } from 'node:crypto';
import type { ConnectorId, OrganizationId, UserId } from '@legate/ids';
import { z } from 'zod';
import type { Caller } from '../domain/caller.ts';
import type { Connector } from '../domain/connector.ts';
import type { ConsentClient } from './consent-client.ts';

/** The user and connector of a connection */
export interface ConnectionOwner {
  readonly organizationId: OrganizationId;
  readonly connectorId: ConnectorId;
  readonly userId: UserId;
  /** Represents the scopes of an agent that has fewer than its connector: the user consents separately for them. */
  readonly scopesKey?: string | undefined;
}

/** A user's consent, and the tokens that we received for it. */
export interface Connection {
  /** Id of this consent */
  readonly id: string;
  /** Number of the current tokens of this consent. Each refresh token belongs to one generation, and is sent once. */
  readonly generation: number;
  /** Undefined if it is no longer stored: the refresh token will get the next one. */
  readonly accessToken: string | undefined;
  /**
   * Epoch seconds. If the authorization server did not return an expiry, the end of the connection; 0 without an access
   * token
   */
  readonly expiresAt: number;
  readonly refreshToken: string | undefined;
  readonly scopes: readonly string[];
  /** The authorization server, which never changes: the tokens are sent to no other. */
  readonly issuer: string;
  /**
   * The client that obtained the tokens, which never changes: tokens belong to the client that they were issued to (RFC
   * 6749 §6, §10.4). Undefined in records from before this member existed; then only `registration` identifies the
   * client.
   */
  readonly clientId: string | undefined;
  /** Identifies the connector's registration at the time of the consent. */
  readonly registration: string;
  /** Epoch seconds; after that the user must consent again, even if tokens were refreshed until then. */
  readonly endsAt: number;
  /** The revocation epochs when the user began to connect */
  readonly epochs: Epochs;
}

/** A connection with its access token. */
export type UsableConnection = Connection & { readonly accessToken: string };

/** A connection as it is stored: a replacement must find it unchanged. */
export type KeptConnection = Connection & {
  readonly record: string;
  readonly accessTokenHash: string | undefined;
};

/** Epochs of the organization, the connector, the user, and the user at the connector; null if there is no epoch. */
export type Epochs = readonly (string | null)[];

/**
 * The stored form of a connection, for the lifetime of the connection. It contains the access token only if the
 * authorization server issued no refresh token: then the access token is the only result of the consent.
 */
const ConnectionRecord = z.object({
  access_token: z.string().optional(),
  expires_at: z.number().default(0),
  /** The name of the entry of a separately stored access token. */
  access_token_hash: z.string().optional(),
  refresh_token: z.string().optional(),
  scopes: z.array(z.string()),
  id: z.string(),
  generation: z.number().int(),
  issuer: z.string(),
  client_id: z.string().optional(),
  registration: z.string(),
  ends_at: z.number(),
  epochs: z.array(z.string().nullable()),
});

/** A separately stored access token, kept until it expires and at most an hour. */
const AccessTokenRecord = z.object({ access_token: z.string(), expires_at: z.number() });

/** @param options.withAccessToken true for a consent without a refresh token */
export const toRecord = (connection: Connection, options: { withAccessToken: boolean }): string =>
  JSON.stringify({
    ...(options.withAccessToken
      ? { access_token: connection.accessToken, expires_at: connection.expiresAt }
      : { access_token_hash: connection.accessToken && hashOf(connection.accessToken) }),
    refresh_token: connection.refreshToken,
    scopes: connection.scopes,
    id: connection.id,
    generation: connection.generation,
    issuer: connection.issuer,
    client_id: connection.clientId,
    registration: connection.registration,
    ends_at: connection.endsAt,
    epochs: connection.epochs,
  });

export const toAccessTokenRecord = ({ accessToken, expiresAt }: Connection): string =>
  JSON.stringify({ access_token: accessToken, expires_at: expiresAt });

/**
 * @returns undefined for a record from another version. The parser's error is not rethrown, because it would quote the
 * record
 */
export function parseRecord(record: string): KeptConnection | undefined {
  const parsed = ConnectionRecord.safeParse(safeJson(record));
  if (!parsed.success) return undefined;
  const { access_token, access_token_hash, expires_at, refresh_token, ends_at, client_id, ...rest } =
    parsed.data;
  return {
    ...rest,
    accessToken: access_token,
    accessTokenHash: access_token_hash,
    expiresAt: expires_at,
    refreshToken: refresh_token,
    clientId: client_id,
    endsAt: ends_at,
    record,
  };
}

/** Returns the connection with its separately stored access token, if that still exists. */
export function withAccessToken(kept: KeptConnection, record: string): KeptConnection {
  const token = AccessTokenRecord.safeParse(safeJson(record)).data;
  return token ? { ...kept, accessToken: token.access_token, expiresAt: token.expires_at } : kept;
}

export const hashOf = (accessToken: string): string => hash('sha256', accessToken, 'base64url');

function safeJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/**
 * Identifies the registration that a consent was given for. An administrator may change the server of a connector:
 * earlier consents do not apply to the new one.
 */
export function consentRegistrationOf(
  { resource, scopes }: Connector,
  { clientId, issuer }: Pick<ConsentClient, 'clientId' | 'issuer'>,
): string {
  return hash('sha256', JSON.stringify([resource, clientId, issuer, scopes]), 'base64url');
}

/**
 * Returns true if tokens are from this authorization server and were issued to this client. Other tokens are never sent
 * there.
 */
export const isMadeWith = (kept: Connection, issuer: string, clientId: string): boolean =>
  kept.issuer === issuer && (kept.clientId === undefined || kept.clientId === clientId);

export const connectionOwnerOf = (
  { organizationId, userId }: Pick<Caller, 'organizationId' | 'userId'>,
  connector: Connector,
): ConnectionOwner => ({
  organizationId,
  connectorId: connector.id,
  userId,
  scopesKey: connector.binding?.scopesKey,
});
