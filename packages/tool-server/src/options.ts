import type { SigningKeys } from '@legate/jwt';
import type { AuthenticationFailures, OAuthLog } from '@legate/oauth';
import type { JSONWebKeySet } from 'jose';
import type { RequestHeaders } from './http/plain.ts';
import type { OneTimeStore } from './one-time/one-time-store.ts';
import type { ClientAssertionAudience, ToolServerClient } from './token-endpoint/clients.ts';
import type { ResolveUser } from './token-endpoint/redeem-assertion.ts';

export interface TrustedIdentityProvider {
  /** Compared with `iss` as a plain string, never normalised. */
  readonly issuer: string;
  /** URL of its keys; default: found by discovery. */
  readonly jwksUri?: string | undefined;
  /**
   * Id of the one organization whose identity provider this is. Its ID-JAGs then need not name an organization, and one
   * that names another is refused. Set it only for a provider whose users are all of this organization.
   */
  readonly organization?: string;
}

/** The log calls that a tool server makes; pino fits. */
export interface ToolServerLog extends OAuthLog {
  warn(fields: object, message: string): void;
}

export interface ToolServerOptions {
  /**
   * The resource identifier, which is also the issuer of the authorization server and the audience of ID-JAGs and access
   * tokens: the public URL of this server, without trailing slash.
   */
  readonly resource: string;
  /** Identity providers whose ID-JAGs are accepted: issuers, or issuers with the URL of their keys or their organization. */
  readonly trustedIssuers: readonly (string | TrustedIdentityProvider)[];
  /** The clients that may redeem ID-JAGs. */
  readonly clients: readonly ToolServerClient[];
  /** Every scope that a tool of this server may require. */
  readonly scopes: readonly string[];
  /**
   * Sign access tokens; share them between the replicas of a server. A private JWKS, its JSON text, or `SigningKeys` of
   * `@legate/jwt`. Default: a key made at start, refused in production.
   */
  readonly signingKeys?: SigningKeys | JSONWebKeySet | string | undefined;
  /** Remembers redeemed assertions; replicas of a server must share it. Default: memory, refused in production. */
  readonly oneTimeStore?: OneTimeStore | undefined;
  /**
   * Reads the issuers' documents. Default: the global `fetch`, for https and loopback addresses only. Pass one that
   * refuses private addresses if an issuer's metadata could contain one.
   */
  readonly fetch?: typeof globalThis.fetch | undefined;
  /** Default: `console`. */
  readonly log?: ToolServerLog | undefined;
  /**
   * Origins of the web pages that may call the routes behind the gate, besides this server's own origin; others get
   * 403. `any`: the application checks `Origin` itself.
   */
  readonly allowedOrigins?: readonly string[] | 'any' | undefined;
  /** Default: the system's clock. */
  readonly clock?: (() => Date) | undefined;
  /** True: refuses missing options that only development may omit. Default: `NODE_ENV` is `production`. */
  readonly production?: boolean | undefined;
  /**
   * `iss` of access tokens, both issued and required: the token endpoint's URL (default), or the issuer as in RFC 9068.
   */
  readonly accessTokenIssuer?: 'token_endpoint' | 'issuer' | undefined;
  /** Default `issuer`. */
  readonly clientAssertionAudience?: ClientAssertionAudience | undefined;
  /** Decides whether a user is admitted; default: every user that a trusted issuer asserts. */
  readonly resolveUser?: ResolveUser | undefined;
  /** Slows down guessing of client secrets; default: no limit. Share it between the replicas of a server. */
  readonly failures?: AuthenticationFailures | undefined;
  /**
   * Returns the address of a client, for `failures`. Default: the address that the adapter finds, in Express `req.ip`.
   */
  readonly clientAddress?: ((request: RequestHeaders) => string | undefined) | undefined;
  /** Called after each fetch of a trusted issuer's keys. */
  readonly onKeysRead?: ((issuer: string, outcome: 'read' | 'failed') => void) | undefined;
  /** `resource_name` of the metadata, for people. */
  readonly name?: string | undefined;
}
