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
import type { ConnectorClientAuth } from '../connectors/method-settings.ts';
import type { IdentityProvider } from '../delegation/identity-provider.ts';
import { clientAuthentication, toCustomFetch } from '../delegation/token-client.ts';
import { classifyFailure } from '../peers/peer-failure.ts';

/** What became of a refresh token that was sent. `reason` is for the log, in words that are safe there. */
export type Refreshed =
  | {
      readonly kind: 'refreshed';
      /** Undefined: the provider gives none at a refresh (OpenID Connect Core §12.2 leaves it to him). */
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

export interface RefreshTokens {
  /** Never throws. */
  refresh(refreshToken: string, clientId: string): Promise<Refreshed>;
  /** RFC 7009, best effort: never throws, and waits no longer than a request may take. */
  revoke(refreshToken: string, clientId: string): Promise<void>;
}

/** The connection was never made, so nothing was sent. */
const NEVER_SENT = [
  'ECONNREFUSED',
  'ENOTFOUND',
  'EAI_AGAIN',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'UND_ERR_CONNECT_TIMEOUT',
  'ERR_FORBIDDEN_ADDRESS',
];

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

  async function open(clientId: string, fetch: typeof globalThis.fetch) {
    const provider = await deps.identityProvider();
    if (provider.kind !== 'found') return undefined;
    const metadata = provider.client.serverMetadata();
    const auth: ClientAuth =
      clientId === hubClient.clientId ? await clientAuthentication(hubClient.clientAuth) : None();
    // The library goes by the system's clock.
    const skewSeconds = Math.round((clock().getTime() - Date.now()) / 1000);
    const client = new Configuration(metadata, clientId, { [clockSkew]: skewSeconds }, auth);
    client[customFetch] = toCustomFetch(fetch);
    // The guarded client decides by address whether plain http may be used.
    if (metadata.issuer.startsWith('http:')) allowInsecureRequests(client);
    return client;
  }

  return {
    async refresh(refreshToken, clientId) {
      let status: number | undefined;
      const client = await open(clientId, async (url, init) => {
        const answer = await deps.fetch(url, init);
        status = answer.status;
        return answer;
      });
      if (!client) return { kind: 'untouched', reason: 'the identity provider cannot be found' };
      try {
        const { id_token, refresh_token } = await refreshTokenGrant(client, refreshToken);
        return { kind: 'refreshed', idToken: id_token, refreshToken: refresh_token };
      } catch (err) {
        return judge(err, status);
      }
    },
    async revoke(refreshToken, clientId) {
      const client = await open(clientId, deps.fetch).catch(() => undefined);
      if (!client?.serverMetadata().revocation_endpoint) return;
      await tokenRevocation(client, refreshToken, { token_type_hint: 'refresh_token' }).catch(
        () => undefined,
      );
    },
  };
}

function judge(err: unknown, status: number | undefined): Refreshed {
  const failure = classifyFailure(err);
  const reason = failure.kind === 'refused' ? failure.error : failure.reason;
  if (status === undefined)
    return codesOf(err).some((code) => NEVER_SENT.includes(code))
      ? { kind: 'untouched', reason }
      : { kind: 'in_doubt', reason };
  // RFC 9110 §15.6.4: it is currently unable to handle the request. Other 5xx may come after the fact, or from a gateway.
  if (status === 429 || status === 503) return { kind: 'untouched', reason };
  if (failure.kind === 'refused' && status < 500) {
    const isBusy = failure.error === 'temporarily_unavailable' || failure.error === 'slow_down';
    return isBusy ? { kind: 'untouched', reason } : { kind: 'refused', error: failure.error };
  }
  return status < 300 ? { kind: 'unusable', reason } : { kind: 'in_doubt', reason };
}

function codesOf(err: unknown): string[] {
  const codes: string[] = [];
  for (let link = err; link instanceof Error && codes.length < 6; link = link.cause) {
    codes.push('code' in link && typeof link.code === 'string' ? link.code : '');
  }
  return codes;
}
