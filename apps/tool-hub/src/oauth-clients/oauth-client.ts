import type { AgentId, OrganizationId } from '@legate/ids';
import type { RegisteredClient } from '@legate/oauth';
import { isInvisible, shownAsName } from '@legate/service';

/** A client of the hub's authorization server; authenticated as `@legate/oauth` does it. */
export interface OAuthClient extends RegisteredClient {
  /** Name shown to users: at most 64 characters, no control characters; undefined: it has none */
  readonly name: string | undefined;
  readonly redirectUris: readonly string[];
  readonly vouchedBy: Voucher;
  /** Users of this organization only; undefined: of any */
  readonly organizationId?: OrganizationId | undefined;
  /** The agent that this client is */
  readonly agentId?: AgentId | undefined;
}

/** Who vouches for a client's name */
export type Voucher =
  /** It is in the operator's file. */
  | { readonly kind: 'operator' }
  /** The organization whose users alone it is for has registered it. */
  | { readonly kind: 'organization' }
  /** The document's publisher at its `client_id`. `digest` is of its content, for which alone a consent is given. */
  | { readonly kind: 'document'; readonly digest: string }
  | { readonly kind: 'nobody' };

/**
 * What a client is looked up for. Tokens are given out while the host of its document is away, by the last known document;
 * a new authorization is not.
 */
export type ClientUse =
  /** `address`: of the browser */
  | { readonly kind: 'authorization'; readonly address: string | undefined }
  /** A user has allowed the client: what is known of it is kept for as long as a session may live. */
  | { readonly kind: 'session' }
  /** `asker` is absent where an authorization or a token of the client has been found already. */
  | { readonly kind: 'token'; readonly asker?: TokenAsker };

/** Somebody at the token endpoint, who names a client */
export interface TokenAsker {
  readonly address: string | undefined;
  /** Returns true where they have a code or token that the hub has given to this client. */
  hasGrant(clientId: string): Promise<boolean>;
}

/** @throws {ClientUnavailable} */
export type FindClient = (clientId: string, use: ClientUse) => Promise<OAuthClient | undefined>;

/** The host of a client's document does not answer, so nothing is known of the client: an outage, and no refusal. */
export class ClientUnavailable extends Error {
  override readonly name = 'ClientUnavailable';
}

const MAX_NAME_LENGTH = 64;

/** A name that a client has given itself, as it may be shown */
export function toClientName(name: unknown): string | undefined {
  if (typeof name !== 'string') return undefined;
  const shown = [...shownAsName(name)].slice(0, MAX_NAME_LENGTH).join('');
  return isInvisible(shown) ? undefined : shown;
}
