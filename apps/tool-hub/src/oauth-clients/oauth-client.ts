import type { AgentId, OrganizationId } from '@legate/ids';
import type { RegisteredClient } from '@legate/oauth';
import { isInvisible, shownAsName } from '@legate/service';

/** A client of the hub's authorization server; `@legate/oauth` authenticates it. */
export interface OAuthClient extends RegisteredClient {
  /** Name shown to users: at most 64 characters, no control characters; undefined: no name */
  readonly name: string | undefined;
  readonly redirectUris: readonly string[];
  readonly vouchedBy: Voucher;
  /** The only organization whose users may use the client; undefined: any */
  readonly organizationId?: OrganizationId | undefined;
  /** The agent that this client is */
  readonly agentId?: AgentId | undefined;
}

/** Who vouches for a client's name */
export type Voucher =
  /** The client is in the operator's file. */
  | { readonly kind: 'operator' }
  /** The only organization whose users may use the client has registered it. */
  | { readonly kind: 'organization' }
  /**
   * The publisher of the document at `client_id`. `digest` is that of its content: a consent applies only to this
   * content.
   */
  | { readonly kind: 'document'; readonly digest: string }
  | { readonly kind: 'nobody' };

/**
 * Purpose for which a client is looked up. While the host of its document is down, tokens are still issued, with the
 * last known document; a new authorization is refused.
 */
export type ClientUse =
  /** `address`: network address of the browser */
  | { readonly kind: 'authorization'; readonly address: string | undefined }
  /** A user has allowed the client: its data are kept for as long as a session may live. */
  | { readonly kind: 'session' }
  /** `asker` is absent if an authorization or a token of the client has already been found. */
  | { readonly kind: 'token'; readonly asker?: TokenAsker };

/** A caller of the token endpoint who names a client */
export interface TokenAsker {
  readonly address: string | undefined;
  /** Returns true if the caller has a code or token that the hub issued to this client. */
  hasGrant(clientId: string): Promise<boolean>;
}

/** @throws {ClientUnavailable} */
export type FindClient = (clientId: string, use: ClientUse) => Promise<OAuthClient | undefined>;

/** The host of a client's document does not respond, so the client is unknown: an outage, not a refusal. */
export class ClientUnavailable extends Error {
  override readonly name = 'ClientUnavailable';
}

const MAX_NAME_LENGTH = 64;

/** Returns a name that a client chose itself, in a form that may be shown */
export function toClientName(name: unknown): string | undefined {
  if (typeof name !== 'string') return undefined;
  const shown = [...shownAsName(name)].slice(0, MAX_NAME_LENGTH).join('');
  return isInvisible(shown) ? undefined : shown;
}
