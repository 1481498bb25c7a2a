const MAX_URL_LENGTH = 512;

/**
 * Returns the address of a client's document (draft-ietf-oauth-client-id-metadata-document §3), or undefined for a `client_id` that is
 * none. It is compared as a string, so it must be written as a URL parser writes it.
 */
export function clientDocumentUrl(clientId: string): URL | undefined {
  if (!clientId.startsWith('https://') || clientId.length > MAX_URL_LENGTH) return undefined;
  const url = URL.parse(clientId);
  const isPlain =
    url?.href === clientId && url.pathname !== '/' && url.hash === '' && !clientId.includes('#');
  return url && isPlain && url.username === '' && url.password === '' ? url : undefined;
}
