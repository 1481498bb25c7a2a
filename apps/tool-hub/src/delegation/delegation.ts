/** What a tool server is called with, on behalf of one user. */
export interface Credential {
  /** Opaque to us; sent to this connector's MCP endpoint and nowhere else. */
  readonly accessToken: string;
  /** Epoch seconds; undefined when the authorization server did not say. */
  readonly expiresAt: number | undefined;
  readonly scopes: readonly string[];
}

export type Peer = 'idp' | 'tool_server';

/** `reason` is for logs and tests: fixed words and error codes, never a token or a text that a peer made up. */
export type Delegation = { readonly outcome: 'granted'; readonly credential: Credential } | Refusal;

/**
 * Why there is no credential. Denied is never unsupported: what policy refuses is final, and never tried another way.
 */
export type Refusal =
  /** Policy of the identity provider or of the tool server does not allow it; another sign-in does not help. */
  | {
      readonly outcome: 'denied';
      /** `binding`: the agent has fewer scopes than its user. */
      readonly by: Peer | 'binding';
      readonly scopes: readonly string[];
      readonly reason: string;
    }
  /** The method does not exist there: the only case in which a connector's fallback may be tried. */
  | { readonly outcome: 'unsupported'; readonly by: Peer; readonly reason: string }
  /** The user must sign in (again), perhaps as the identity provider wants it (RFC 9470 §4). */
  | {
      readonly outcome: 'expired';
      readonly reason: string;
      readonly maxAge?: number | undefined;
      readonly acrValues?: string | undefined;
    }
  /** Nothing is known: ask again later. */
  | {
      readonly outcome: 'unavailable';
      readonly by: Peer;
      readonly reason: string;
      readonly retryable: boolean;
    }
  /** Somebody must repair a registration, or a peer answers what it must not. */
  | { readonly outcome: 'misconfigured'; readonly by: Peer; readonly reason: string };
