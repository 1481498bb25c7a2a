import { hash } from 'node:crypto';
import { type ClientCredentials, clientAuthentication } from '@legate/client-authentication';
import { afterFailure, type IdentityProvider, type Sent, sendThrough } from '@legate/delegation';
import {
  type ClientAuth,
  Configuration,
  clockSkew,
  None,
  refreshTokenGrant,
  tokenRevocation,
} from 'openid-client';

export interface RenewedTokens {
  /** Undefined: the provider issues none at a refresh, as OpenID Connect Core §12.2 allows. */
  readonly idToken: string | undefined;
  /** Undefined: the one that was sent stays. */
  readonly refreshToken: string | undefined;
  /** `seconds` undefined: the provider does not say how long it lives. */
  readonly access?: { readonly token: string; readonly seconds: number | undefined };
}

/** A failure is in words that are safe in the log. */
export type Refreshed = Sent<RenewedTokens, string>;

/** Returns the digest by which the store identifies a refresh token. */
export const digestOf = (refreshToken: string): string => hash('sha256', refreshToken, 'base64url');

export type RefreshTokens = ReturnType<typeof createRefreshTokens>;

/**
 * A refresh token is bound to the client to which it was issued (RFC 6749 §6). The hub's own authenticates as ever;
 * another one is the application's, and public: its `client_id` is all that it has (§2.1).
 */
export function createRefreshTokens(deps: {
  identityProvider: () => Promise<IdentityProvider>;
  hubClient: { readonly clientId: string; readonly clientAuth: ClientCredentials };
  fetch: typeof globalThis.fetch;
  clock: () => Date;
}) {
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
    return sendThrough(client, deps.fetch, { usesIdTokens: true });
  }

  return {
    /** Never throws. */
    async refresh(refreshToken: string, clientId: string): Promise<Refreshed> {
      const client = await open(clientId);
      if (!client) return { kind: 'untouched', failure: 'the identity provider cannot be found' };
      try {
        const { id_token: idToken, ...answer } = await refreshTokenGrant(client, refreshToken);
        const access = { token: answer.access_token, seconds: answer.expires_in };
        return { kind: 'refreshed', tokens: { idToken, refreshToken: answer.refresh_token, access } };
      } catch (err) {
        return inWords(afterFailure(err));
      }
    },
    /** RFC 7009, best effort: never throws, and waits no longer than a request may take. */
    async revoke(refreshToken: string, clientId: string): Promise<void> {
      const client = await open(clientId).catch(() => undefined);
      if (!client?.serverMetadata().revocation_endpoint) return;
      await tokenRevocation(client, refreshToken, { token_type_hint: 'refresh_token' }).catch(
        () => undefined,
      );
    },
  };
}

function inWords(sent: ReturnType<typeof afterFailure>): Refreshed {
  if (sent.kind === 'refreshed') return sent;
  const { failure } = sent;
  return { ...sent, failure: failure.kind === 'refused' ? failure.error : failure.reason };
}
