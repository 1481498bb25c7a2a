import type { SubjectTokenType } from '@legate/identity-providers';
import type { Outage } from '@legate/service/outbound';
import type { Dispatcher } from 'undici';
import type { Caller } from './caller.ts';
import type { Connector } from './connector.ts';
import type { NamedSettings } from './method-settings.ts';

/**
 * One authentication method of a connector.
 * @param settings one of the connector's `methods`
 * @param scopes beyond the connector's own, for a step-up
 * @param rejected an earlier access token that the tool server rejected
 */
export type DelegationMethod<Settings extends NamedSettings> = (
  caller: Caller,
  connector: Connector,
  settings: Settings,
  scopes: readonly string[],
  rejected?: string | undefined,
) => Promise<Delegation>;

/** A credential for a tool server. It is sent only to this connector's MCP endpoint. */
export type Credential = AccessToken | ApiKey | ClientCertificate;

/** A user's token, opaque to us. */
export interface AccessToken {
  readonly kind: 'access_token';
  /** The method that obtained it */
  readonly method: string;
  readonly accessToken: string;
  /** The token's id in the audit trail (`tokenId`), if already computed */
  readonly id?: string | undefined;
  /** Epoch seconds; undefined if the authorization server returned no expiry: then the token is used once. */
  readonly expiresAt: number | undefined;
  readonly scopes: readonly string[];
}

/** A service credential, not tied to a user */
export interface ApiKey {
  readonly kind: 'api_key';
  readonly method: string;
  /** The key itself */
  readonly key: string;
  readonly header: string;
  /** Value of the header, including the key */
  readonly value: string;
}

/** A service credential, not tied to a user. The connection identifies the caller, not a header. */
export interface ClientCertificate {
  readonly kind: 'client_certificate';
  readonly method: string;
  readonly dispatcher: Dispatcher;
}

export type Peer = 'idp' | 'tool_server';

/**
 * `reason` describes who sent what, where, and which member is invalid. Text from a peer is shortened and escaped if it
 * is included at all (peer-words.ts of `@legate/oauth`). A token or a secret is never included.
 */
export type Delegation = ({ readonly outcome: 'granted'; readonly credential: Credential } | Refusal) & {
  /** Undefined if no request was needed; the same object for all callers that share a delegation. */
  readonly facts?: DelegationFacts | undefined;
};

/** @param unread the data that could not be read from the store */
export const storeUnavailable = (unread: 'connection' | 'use_record', cause: unknown): Refusal => ({
  outcome: 'unavailable',
  by: 'store',
  unread,
  reason: 'token_store_unavailable',
  cause,
  retryable: false,
});

/** What the audit trail has of a delegation. */
export interface DelegationFacts {
  /**
   * `yes` if a token of `token-exchange` is for this tool server alone: its `aud` is exactly the resource. `unknown`: the
   * hub cannot read the token.
   */
  audienceScoped?: 'yes' | 'no' | 'unknown';
  /** The id of its ID-JAG, see `tokenId` */
  idJagId?: string;
  /** The identity provider has named our own client in `act`, although the hub named no agent. */
  actor?: 'provider';
  /** Milliseconds of its last attempt */
  idpMs?: number;
  authorizationServerMs?: number;
  /**
   * The method that the tool server has been shown to support: the user got a new token by it, was denied one, or was
   * asked to sign in or to consent.
   */
  usedMethod?: string;
}

/** The reason why there is no credential. */
export type Refusal = Refused & {
  /** What an operator or an administrator can do, if the peer's answer shows it; not for the caller */
  readonly hint?: string | undefined;
};

/**
 * A denial never counts as unsupported: a refusal by policy is final, and no
 * other method is tried.
 */
type Refused =
  /** Policy of the identity provider or of the tool server does not allow it; another sign-in does not help. */
  | {
      readonly outcome: 'denied';
      /**
       * `binding`: the agent has fewer scopes than its user; `audience`: the user's token is for another audience;
       * `fallback`: users could act as themselves at this tool server, and no administrator has approved another method
       * since; `connector`: its administrator has not listed these scopes.
       */
      readonly by: Peer | 'binding' | 'audience' | 'fallback' | 'connector';
      /** A registration at the peer is missing; undefined: as far as the peer reports, its policy denies it */
      readonly why?: 'target_unknown' | 'scope_refused' | undefined;
      readonly scopes: readonly string[];
      readonly reason: string;
    }
  /** The method does not exist at the tool server. Only then a connector's fallback may be tried. */
  | { readonly outcome: 'unsupported'; readonly by: Peer; readonly reason: string }
  /** The user must sign in again, perhaps as the identity provider requires (RFC 9470 §4), or connect again. */
  | {
      readonly outcome: 'expired';
      readonly reason: string;
      /** Set if an account at the tool server must be connected: with these scopes, or those of the connector. */
      readonly connect?: { readonly scopes: readonly string[] } | undefined;
      /** The sign-in is valid, but the identity provider exchanges this token of it, which the caller does not have. */
      readonly needsSession?: Exclude<SubjectTokenType, 'id_token'> | undefined;
      readonly maxAge?: number | undefined;
      readonly acrValues?: string | undefined;
      /** JSON object for the parameter `claims` of the next authorization request (OpenID Connect Core §5.5) */
      readonly claims?: string | undefined;
    }
  /** An outage: try again later. */
  | ({
      readonly outcome: 'unavailable';
      readonly by: Peer;
      readonly reason: string;
      readonly retryable: boolean;
    } & Outage)
  /**
   * Our own store cannot be read, so it is unknown whether the user has connected, or whether a fallback is allowed.
   */
  | ({
      readonly outcome: 'unavailable';
      readonly by: 'store';
      readonly unread: 'connection' | 'use_record';
      readonly reason: 'token_store_unavailable';
      readonly cause: unknown;
      readonly retryable: false;
    } & Outage)
  /** A registration must be fixed, or a peer returns invalid data. */
  | {
      readonly outcome: 'misconfigured';
      readonly by: Peer;
      /** What we have set wrongly ourselves: `token_audience` of the connector, or `IDP_SUBJECT_TOKEN_TYPE` of the hub */
      readonly why?: 'token_audience' | 'subject_token_type' | undefined;
      readonly reason: string;
    };

/** A delegation, new or from the cache. */
export type Obtained =
  | {
      readonly outcome: 'granted';
      readonly credential: Credential;
      readonly fromCache: boolean;
      readonly facts?: DelegationFacts | undefined;
    }
  | (Refusal & { readonly facts?: DelegationFacts | undefined });
