import {
  connectionOwnerOf,
  consentRegistrationOf,
  type UsableConnection,
} from '../../connections/connection.ts';
import type { Connections } from '../../connections/connection-store.ts';
import { type ConsentClientOf, whereToConsent } from '../../connections/consent-client.ts';
import type { FreshConnection } from '../../connections/refresh.ts';
import {
  type Delegation,
  type DelegationMethod,
  type Refusal,
  storeUnavailable,
} from '../../domain/delegation.ts';
import type { DiscoverUserAuthorization } from '../../oauth-peers/discovery/cached-discovery.ts';
import { oauthPkce } from './facts.ts';
import type { OAuthPkceSettings } from './settings.ts';

/** The connected accounts of users, and how their tokens are refreshed */
export interface UserAccounts {
  readonly connections: Connections;
  readonly fresh: FreshConnection;
  readonly discover: DiscoverUserAuthorization;
  readonly clientOf: ConsentClientOf;
}

export interface OAuthPkceDependencies {
  accounts: UserAccounts;
}

/**
 * Uses the access token from the user's own consent at the tool server's authorization server, and refreshes it before
 * it expires. This method does not ask the user: without consent, or with insufficient consent, its outcome makes the
 * application ask the user to connect. Needs the caller's identity, and sends the ID token nowhere.
 */
export function createOAuthPkceMethod({
  accounts,
}: OAuthPkceDependencies): DelegationMethod<OAuthPkceSettings> {
  const { connections, fresh, discover, clientOf } = accounts;
  return async (caller, connector, settings, scopes, rejected) => {
    const found = await connections.find(connectionOwnerOf(caller, connector)).catch(connectionUnread);
    if ('outcome' in found) return found;
    const kept = found.connection;
    const client = clientOf(connector, settings);
    if (!kept || kept.registration !== consentRegistrationOf(connector, client)) {
      // Checks first whether the tool server supports consent: a fallback may be tried only if it does not.
      const discovery = await discover(whereToConsent(connector.resource, client));
      if (discovery.kind === 'unsupported')
        return { outcome: 'unsupported', by: 'tool_server', reason: discovery.reason };
      if (discovery.kind === 'unavailable')
        return { outcome: 'unavailable', by: 'tool_server', ...discovery };
      if (discovery.kind === 'unusable')
        return { outcome: 'misconfigured', by: 'tool_server', reason: discovery.reason };
      return { ...connect('the user has not connected', scopes), facts: { usedMethod: oauthPkce.name } };
    }
    const missing = scopes.filter((scope) => !kept.scopes.includes(scope));
    if (missing.length > 0)
      return connect('the user has not consented to these scopes', [
        ...new Set([...kept.scopes, ...missing]),
      ]);

    const refreshed = await fresh(caller, connector, settings, kept, rejected).catch(connectionUnread);
    if ('outcome' in refreshed) return refreshed;
    switch (refreshed.kind) {
      case 'fresh':
        return {
          outcome: 'granted',
          credential: credentialOf(refreshed.connection),
          // A stored token does not show what the tool server supports now.
          ...(refreshed.connection.accessToken !== kept.accessToken && {
            facts: { usedMethod: oauthPkce.name },
          }),
        };
      case 'ended':
        return connect(refreshed.reason, [...kept.scopes]);
      case 'unavailable':
        return {
          outcome: 'unavailable',
          by: 'tool_server',
          reason: `authorization server: ${refreshed.reason}`,
          retryable: refreshed.retryable,
        };
      case 'unusable':
        return {
          outcome: 'misconfigured',
          by: 'tool_server',
          reason: `authorization server: ${refreshed.reason}`,
        };
    }
  };
}

const connectionUnread = (cause: unknown): Refusal => storeUnavailable('connection', cause);

const connect = (reason: string, scopes: readonly string[]): Delegation => ({
  outcome: 'expired',
  reason,
  connect: { scopes },
});

const credentialOf = ({ accessToken, expiresAt, scopes }: UsableConnection) =>
  ({ kind: 'access_token', method: oauthPkce.name, accessToken, expiresAt, scopes }) as const;
