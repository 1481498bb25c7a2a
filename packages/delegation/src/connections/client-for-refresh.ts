import type { Connector } from '../domain/connector.ts';
import type {
  UserAuthorizationDiscovery,
  WhereToConsent,
} from '../oauth-peers/discovery/discover-user-authorization.ts';
import { type AuthorizationClient, createAuthorizationClient } from './authorization-client.ts';
import { type Connection, type ConnectionOwner, isMadeWith, type KeptConnection } from './connection.ts';
import type { Connections } from './connection-store.ts';
import { type ConsentClientOf, type ConsentSettings, whereToConsent } from './consent-client.ts';
import type { Refreshed } from './lasting-tokens.ts';

/** The destination of a refresh token. */
export interface WhereToRefresh {
  readonly connections: Pick<Connections, 'replace'>;
  /** Discovery without a cache: a changed or unavailable authorization server must be noticed before the token is sent. */
  readonly discover: (where: WhereToConsent) => Promise<UserAuthorizationDiscovery>;
  readonly clientOf: ConsentClientOf;
  readonly fetch: typeof globalThis.fetch;
}

/** Our client, to which a connection's refresh token was issued. */
export async function clientForRefresh(
  { connections, discover, clientOf, fetch }: WhereToRefresh,
  owner: ConnectionOwner,
  connector: Connector,
  settings: ConsentSettings,
  kept: KeptConnection,
): Promise<{ client: AuthorizationClient } | Refreshed> {
  const own = clientOf(connector, settings);
  const discovery = await discover(whereToConsent(connector.resource, own));
  if (discovery.kind === 'unsupported') return { kind: 'unusable', reason: discovery.reason };
  if (discovery.kind !== 'found') return discovery;
  if (discovery.authorization.issuer !== kept.issuer) {
    await connections.replace(owner, kept, undefined);
    return { kind: 'ended', reason: 'the tool server has another authorization server now' };
  }
  if (!isMadeWith(kept, kept.issuer, own.clientId))
    return { kind: 'ended', reason: 'we are another client there now' };
  try {
    return { client: await createAuthorizationClient(discovery.authorization, own, fetch) };
  } catch {
    return { kind: 'unusable', reason: 'our private key cannot be used' };
  }
}

export const isOf = (client: AuthorizationClient, kept: Connection): boolean =>
  isMadeWith(kept, client.serverMetadata().issuer, client.clientMetadata().client_id);
