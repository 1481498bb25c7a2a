import { hash } from 'node:crypto';
import { clientAuthentication, clientMetadata } from '@legate/client-authentication';
import {
  afterFailure,
  type IdentityProvider,
  publicSubject,
  type Sent,
  sendThrough,
} from '@legate/delegation';
import type { Logger } from '@legate/service';
import {
  type ClientAuth,
  Configuration,
  clockSkew,
  None,
  refreshTokenGrant,
  tokenRevocation,
} from 'openid-client';
import type { HubClient } from '../platform/hub-client.ts';
import type { SessionRecord } from './session-record.ts';
import { scopeOf } from './sign-in-scope.ts';

/** An access token, as a provider or an application hands it over */
export interface GivenAccess {
  readonly token: string;
  /** Undefined if no lifetime is declared */
  readonly seconds: number | undefined;
}

export interface RenewedTokens {
  /** Undefined if the provider issues no ID token at a refresh, as OpenID Connect Core §12.2 allows */
  readonly idToken: string | undefined;
  /** Undefined if the refresh token that was sent stays valid */
  readonly refreshToken: string | undefined;
  readonly access?: GivenAccess;
}

/** Outcome of a refresh. The text of a failure can be logged safely. */
export type Refreshed = Sent<RenewedTokens, string>;

/** Returns the digest by which the store identifies a refresh token. */
export const digestOf = (refreshToken: string): string => hash('sha256', refreshToken, 'base64url');

export type RefreshTokens = ReturnType<typeof createRefreshTokens>;

/**
 * Redeems and revokes refresh tokens. Each is bound to the client to which it was issued (RFC 6749 §6). The hub's own
 * client authenticates as usual; any other is an application's public client, which sends only its `client_id` (§2.1).
 */
export function createRefreshTokens(deps: {
  identityProvider: () => Promise<IdentityProvider>;
  hubClient: HubClient;
  /** Requested with each sign-in at the hub, besides `SIGN_IN_SCOPES` */
  subjectScope?: string | undefined;
  /** Sends the requests of public clients, which must not present the hub's certificate (RFC 8705 §4). */
  fetch: typeof globalThis.fetch;
  clock: () => Date;
  log: Pick<Logger, 'warn'>;
}) {
  const { hubClient, subjectScope, clock } = deps;

  async function open(clientId: string) {
    const provider = await deps.identityProvider();
    if (provider.kind !== 'found') return undefined;
    const { metadata } = provider;
    const isHub = clientId === hubClient.clientId;
    const auth: ClientAuth = isHub ? await clientAuthentication(hubClient.clientAuth) : None();
    const members = isHub ? clientMetadata(hubClient.clientAuth) : {};
    // The library uses the system's clock.
    const skewSeconds = Math.round((clock().getTime() - Date.now()) / 1000);
    const client = new Configuration(metadata, clientId, { ...members, [clockSkew]: skewSeconds }, auth);
    return {
      client: sendThrough(client, metadata, isHub ? hubClient.fetch : deps.fetch, { usesIdTokens: true }),
      // What is known is about the hub's client.
      explain: isHub ? provider.explain : () => undefined,
    };
  }

  return {
    /** Never throws. */
    async refresh(
      refreshToken: string,
      { clientId, grant }: Pick<SessionRecord, 'clientId' | 'grant'>,
    ): Promise<Refreshed> {
      const opened = await open(clientId);
      if (!opened) return { kind: 'untouched', failure: 'the identity provider cannot be found' };
      const { client } = opened;
      try {
        const { id_token: idToken, ...answer } = await refreshTokenGrant(client, refreshToken, {
          // Without `scope`, it is that of the sign-in (RFC 6749 §6); some providers then choose another audience.
          ...(subjectScope !== undefined &&
            grant && { scope: scopeOf(client.serverMetadata(), subjectScope) }),
        });
        const access = { token: answer.access_token, seconds: answer.expires_in };
        return { kind: 'refreshed', tokens: { idToken, refreshToken: answer.refresh_token, access } };
      } catch (err) {
        const sent = afterFailure(err);
        const hint =
          sent.kind === 'refused' && sent.failure.kind === 'refused'
            ? opened.explain('renewal', sent.failure)
            : undefined;
        if (hint !== undefined)
          deps.log.warn({ client_id: clientId, hint }, 'the identity provider refuses a refresh');
        return inWords(sent);
      }
    },
    /** Returns true if the provider names a user to every client alike, so that ID-JAGs are compared with the user. */
    async hasPublicSubjects(): Promise<boolean> {
      const provider = await deps.identityProvider();
      if (provider.kind !== 'found') return false;
      return publicSubject(provider.metadata.subject_types_supported, '') !== undefined;
    },
    /** Revokes by RFC 7009, best effort: never throws, and waits no longer than a request may take. */
    async revoke(refreshToken: string, clientId: string): Promise<void> {
      const client = (await open(clientId).catch(() => undefined))?.client;
      if (!client?.serverMetadata().revocation_endpoint) return;
      await tokenRevocation(client, refreshToken, { token_type_hint: 'refresh_token' }).catch(
        () => undefined,
      );
    },
  };
}

function inWords(sent: ReturnType<typeof afterFailure>): Refreshed {
  const { failure } = sent;
  return { ...sent, failure: failure.kind === 'refused' ? failure.error : failure.reason };
}
