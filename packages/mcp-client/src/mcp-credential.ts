import type { Dispatcher } from 'undici';

/** The credential for a tool server: sent only to the target's `url`. */
export type McpCredential =
  | { readonly kind: 'access_token'; readonly accessToken: string }
  | {
      readonly kind: 'api_key';
      /** The key itself */
      readonly key: string;
      readonly header: string;
      /** Value of the header, with the key in it */
      readonly value: string;
    }
  /** The TLS connection identifies the client, and no header. */
  | { readonly kind: 'client_certificate'; readonly dispatcher: Dispatcher };
