/** The authorization server that a client may use, or the reason why there is none */
export type ChosenIssuer =
  | { readonly kind: 'chosen'; readonly issuer: string }
  | { readonly kind: 'none_listed' }
  /**
   * The tool server does not list the authorization server that an administrator pinned, and must not choose another
   * one.
   */
  | { readonly kind: 'not_listed' }
  /** The authorization server is at another origin, so an administrator must pin it first. */
  | { readonly kind: 'not_pinned' };

/**
 * Chooses the authorization server for a client. A client is registered at one server, the one that an administrator
 * pinned. The tool server may list it in another spelling; the caller must compare the issuer in the server's own
 * metadata with the pinned one byte for byte (RFC 8414 §3.3). Without a pinned server, it must be at the tool server's
 * own origin; otherwise a tool server could have the secret sent anywhere. A public client has no secret, so if only
 * one server is listed, it is accepted.
 * @param client.resource of the tool server, an absolute URL
 * @param client.issuer the pinned authorization server
 * @param listed `authorization_servers` (RFC 9728 §2), absolute URLs
 */
export function chooseIssuer(
  client: {
    readonly resource: string;
    readonly issuer: string | undefined;
    readonly isPublicClient: boolean;
  },
  listed: readonly string[],
): ChosenIssuer {
  const [only] = listed;
  if (only === undefined) return { kind: 'none_listed' };
  const { issuer: pinned } = client;
  if (pinned !== undefined)
    return listed.some((issuer) => isSpelledAlike(issuer, pinned))
      ? { kind: 'chosen', issuer: pinned }
      : { kind: 'not_listed' };
  const { origin } = new URL(client.resource);
  const own = listed.find((issuer) => new URL(issuer).origin === origin);
  if (own !== undefined) return { kind: 'chosen', issuer: own };
  return client.isPublicClient && listed.length === 1
    ? { kind: 'chosen', issuer: only }
    : { kind: 'not_pinned' };
}

/**
 * Returns true if two issuers are one URL in two spellings: with and without a slash at the end, upper case in the
 * host, the default port. Their metadata is at the same address, but they are two issuers (RFC 8414 §3.3): use this
 * only to find out which issuer is meant, never to trust it.
 */
export function isSpelledAlike(one: string, other: string): boolean {
  return one === other || normalForm(one) === normalForm(other);
}

const normalForm = (url: string): string =>
  URL.canParse(url) ? new URL(url).href.replace(/\/(?=$|[?#])/, '') : url;
