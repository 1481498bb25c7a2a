import { hash } from 'node:crypto';
import {
  becameOfSent,
  type ConnectorClientAuth,
  classifyFailure,
  clientAuthentication,
  type IdentityProvider,
  toCustomFetch,
} from '@legate/delegation';
import {
  allowInsecureRequests,
  type ClientAuth,
  Configuration,
  clockSkew,
  customFetch,
  None,
  refreshTokenGrant,
  tokenRevocation,
} from 'openid-client';

/** What became of a refresh token that was sent. `reason` is for the log, in words that are safe there. */
export type Refreshed =
  | {
      readonly kind: 'refreshed';
      /** Undefined: the provider issues none at a refresh, as OpenID Connect Core §12.2 allows. */
      readonly idToken: string | undefined;
      /** Undefined: the one that was sent stays. */
      readonly refreshToken: string | undefined;
    }
  /** It was looked at and refused, by an error code of RFC 6749 §5.2. */
  | { readonly kind: 'refused'; readonly error: string }
  /** The provider never saw it, or says that it did nothing: it may be sent again. */
  | { readonly kind: 'untouched'; readonly reason: string }
  /** Nobody knows whether it was used: it must not be sent again. */
  | { readonly kind: 'in_doubt'; readonly reason: string }
  /** It was used, and what came back cannot be. */
  | { readonly kind: 'unusable'; readonly reason: string };

/** What the store knows a refresh token by. */
export const digestOf = (refreshToken: string): string => hash('sha256', refreshToken, 'base64url');

export interface RefreshTokens {
  /** Never throws. */
  refresh(refreshToken: string, clientId: string): Promise<Refreshed>;
  /** RFC 7009, best effort: never throws, and waits no longer than a request may take. */
  revoke(refreshToken: string, clientId: string): Promise<void>;
}

/**
 * A refresh token is bound to the client to which it was issued (RFC 6749 §6). The hub's own authenticates as ever;
 * another one is the application's, and public: its `client_id` is all that it has (§2.1).
 */
export function createRefreshTokens(deps: {
  identityProvider: () => Promise<IdentityProvider>;
  hubClient: { readonly clientId: string; readonly clientAuth: ConnectorClientAuth };
  fetch: typeof globalThis.fetch;
  clock: () => Date;
}): RefreshTokens {
  const { hubClient, clock } = deps;

  async function open(clientId: string) {
    const provider = await deps.identityProvider();
    if (provider.kind !== 'found') return undefined;
    const metadata = provider.client.serverMetadata();
    const auth: ClientAuth =
      clientId === hubClient.clientId ? await clientAuthentication(hubClient.clientAuth) : None();
    // The library goes by the system's clock.
    const skewSeconds = Math.round((clock().getTime() - Date.now()) / 1000);
    const client = new Configuration(metadata, clientId, { [clockSkew]: skewSeconds }, auth);
    client[customFetch] = toCustomFetch(deps.fetch);
    // The guarded client decides by address whether plain http may be used.
    if (metadata.issuer.startsWith('http:')) allowInsecureRequests(client);
    return client;
  }

  return {
    async refresh(refreshToken, clientId) {
      const client = await open(clientId);
      if (!client) return { kind: 'untouched', reason: 'the identity provider cannot be found' };
      try {
        const { id_token, refresh_token } = await refreshTokenGrant(client, refreshToken);
        return { kind: 'refreshed', idToken: id_token, refreshToken: refresh_token };
      } catch (err) {
        return judge(err);
      }
    },
    async revoke(refreshToken, clientId) {
      const client = await open(clientId).catch(() => undefined);
      if (!client?.serverMetadata().revocation_endpoint) return;
      await tokenRevocation(client, refreshToken, { token_type_hint: 'refresh_token' }).catch(
        () => undefined,
      );
    },
  };
}

function judge(err: unknown): Refreshed {
  const failure = classifyFailure(err);
  const reason = failure.kind === 'refused' ? failure.error : failure.reason;
  const kind = becameOfSent(err);
  if (kind === 'spent') return { kind: 'unusable', reason };
  return kind === 'refused' ? { kind, error: reason } : { kind, reason };
}
