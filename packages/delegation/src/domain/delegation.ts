import type { Outage } from '@legate/service/outbound';
import type { Dispatcher } from 'undici';
import type { Caller } from './caller.ts';
import type { Connector } from './connector.ts';
import type { AuthMethod, MethodSettings } from './method-settings.ts';

/**
 * One way to act at a connector.
 * @param settings one of the connector's `methods`
 * @param scopes beyond the connector's own, as a step-up needs them
 * @param rejected an access token of before, which the tool server did not take
 */
export type DelegationMethod<Settings extends MethodSettings = MethodSettings> = (
  caller: Caller,
  connector: Connector,
  settings: Settings,
  scopes: readonly string[],
  rejected?: string | undefined,
) => Promise<Delegation>;

/** What a tool server is called with: sent to this connector's MCP endpoint and nowhere else. */
export type Credential = AccessToken | ApiKey | ClientCertificate;

/** Of one user. Opaque to us. */
export interface AccessToken {
  readonly kind: 'access_token';
  /** By which it was obtained */
  readonly method: Exclude<AuthMethod, 'service'>;
  readonly accessToken: string;
  /** By what it is recognised in the trail (`tokenId`), where that has been found out */
  readonly id?: string | undefined;
  /** Epoch seconds; undefined when the authorization server did not say: then it is used once. */
  readonly expiresAt: number | undefined;
  readonly scopes: readonly string[];
}

/** Of no user */
export interface ApiKey {
  readonly kind: 'api_key';
  readonly method: 'service';
  /** The key itself */
  readonly key: string;
  readonly header: string;
  /** Of the header, with the key in it */
  readonly value: string;
}

/** Of no user. It is the connection that says who calls, and no header. */
export interface ClientCertificate {
  readonly kind: 'client_certificate';
  readonly method: 'service';
  readonly dispatcher: Dispatcher;
}

/** For whom a tool server takes a call */
export type ActsAs = 'user' | 'service';

/** What was said to a service, nobody must take for what its user may see. */
export const actsAs = ({ kind }: Credential): ActsAs => (kind === 'access_token' ? 'user' : 'service');

/** Methods that ask an authorization server for a token: it is kept between calls, and another can be asked for. */
export const TOKEN_METHODS = ['id-jag', 'oauth-pkce'] as const satisfies readonly AuthMethod[];

export type TokenMethod = (typeof TOKEN_METHODS)[number];

export const isRenewable = (method: AuthMethod): method is TokenMethod =>
  TOKEN_METHODS.some((renewable) => renewable === method);

export type Peer = 'idp' | 'tool_server';

/** `reason` is for logs and tests: fixed words and error codes, never a token or a text that a peer made up. */
export type Delegation = ({ readonly outcome: 'granted'; readonly credential: Credential } | Refusal) & {
  /** Undefined where nobody had to be asked; the same object for all who share a delegation. */
  readonly passage?: Passage | undefined;
};

/** @param unread what the store was asked for */
export const storeUnavailable = (unread: 'connection' | 'use_record', cause: unknown): Refusal => ({
  outcome: 'unavailable',
  by: 'store',
  unread,
  reason: 'token_store_unavailable',
  cause,
  retryable: false,
});

/** What a delegation went through, for the audit trail. */
export interface Passage {
  /** By what its ID-JAG is recognised, as `tokenId` gives it */
  idJagId?: string;
  /** Milliseconds of its last attempt */
  idpMs?: number;
  authorizationServerMs?: number;
  /** The tool server offered ID-JAGs, and the user got one redeemed, was denied it, or must sign in for it. */
  usedIdJag?: true;
  /** The tool server offered users to consent themselves, and the user was sent to do so, or their token was refreshed. */
  usedConsent?: true;
}

/**
 * Why there is no credential. Denied is never unsupported: what policy refuses is final, and never tried another way.
 */
export type Refusal =
  /** Policy of the identity provider or of the tool server does not allow it; another sign-in does not help. */
  | {
      readonly outcome: 'denied';
      /**
       * `binding`: the agent has fewer scopes than its user; `audience`: the user's token is for somebody else;
       * `fallback`: users could act as themselves there, and no administrator has approved another method since;
       * `connector`: its administrator has not listed these scopes.
       */
      readonly by: Peer | 'binding' | 'audience' | 'fallback' | 'connector';
      readonly scopes: readonly string[];
      readonly reason: string;
    }
  /** The method does not exist there: the only case in which a connector's fallback may be tried. */
  | { readonly outcome: 'unsupported'; readonly by: Peer; readonly reason: string }
  /** The user must sign in (again), perhaps as the identity provider wants it (RFC 9470 §4); or connect (again). */
  | {
      readonly outcome: 'expired';
      readonly reason: string;
      /** It is an account at the tool server that must be connected: with these scopes, or those of the connector. */
      readonly connect?: { readonly scopes: readonly string[] } | undefined;
      readonly maxAge?: number | undefined;
      readonly acrValues?: string | undefined;
    }
  /** Nothing is known: ask again later. */
  | ({
      readonly outcome: 'unavailable';
      readonly by: Peer;
      readonly reason: string;
      readonly retryable: boolean;
    } & Outage)
  /** Our own store cannot be read: whether the user has connected, or whether a fallback is allowed. */
  | ({
      readonly outcome: 'unavailable';
      readonly by: 'store';
      readonly unread: 'connection' | 'use_record';
      readonly reason: 'token_store_unavailable';
      readonly cause: unknown;
      readonly retryable: false;
    } & Outage)
  /** Somebody must repair a registration, or a peer answers what it must not. */
  | { readonly outcome: 'misconfigured'; readonly by: Peer; readonly reason: string };

/** A delegation as it was obtained: anew, or from the cache. */
export type Obtained =
  | {
      readonly outcome: 'granted';
      readonly credential: Credential;
      readonly fromCache: boolean;
      readonly passage?: Passage | undefined;
    }
  | (Refusal & { readonly passage?: Passage | undefined });
