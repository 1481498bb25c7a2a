const MAX_URL_LENGTH = 512;

/**
 * Returns the URL of a client's metadata document (draft-ietf-oauth-client-id-metadata-document §3), or undefined if
 * the `client_id` is not such a URL. It is compared as a string, so it must be in the normalised form of a URL parser.
 */
export function clientDocumentUrl(clientId: string): URL | undefined {
  if (!clientId.startsWith('https://') || clientId.length > MAX_URL_LENGTH) return undefined;
  const url = URL.parse(clientId);
  const isPlain =
    url?.href === clientId && url.pathname !== '/' && url.hash === '' && !clientId.includes('#');
  return url && isPlain && url.username === '' && url.password === '' ? url : undefined;
}
