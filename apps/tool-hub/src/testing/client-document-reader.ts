import { isLoopbackHost } from '@legate/service';
import { z } from 'zod';

/** The authorization server refuses the client, and does not redirect because it trusts no redirect URI. */
export class ClientRefused extends Error {
  override readonly name = 'ClientRefused';
}

/**
 * The document's members that the code grant needs (RFC 7591 §2); strict, so that a secret in any other member is
 * found.
 */
const ClientDocument = z.strictObject({
  client_id: z.string(),
  client_name: z.string().min(1),
  redirect_uris: z.array(z.url()).min(1),
  grant_types: z.array(z.string()),
  response_types: z.array(z.string()),
  token_endpoint_auth_method: z.enum(['none', 'private_key_jwt']),
});
export type ClientDocument = z.output<typeof ClientDocument>;

const MAX_BYTES = 5120;

/**
 * Handles an authorization request like an authorization server that accepts Client ID Metadata Documents and runs on
 * this machine.
 * @param fetch reads the document
 * @throws {ClientRefused}
 * @see draft-ietf-oauth-client-id-metadata-document §3, §4, §5, §8.6, §8.7
 */
export async function readClientDocument(
  request: URLSearchParams,
  fetch: typeof globalThis.fetch,
): Promise<{ document: ClientDocument; cacheControl: string | null }> {
  const clientId = request.get('client_id') ?? '';
  checkClientId(clientId);
  const answer = await fetch(clientId, { redirect: 'manual' }).catch(() => undefined);
  if (answer?.status !== 200) throw new ClientRefused(`its document: status ${answer?.status}`);
  if (!/^application\/([a-z.-]+\+)?json\b/.test(answer.headers.get('content-type') ?? ''))
    throw new ClientRefused('its document is not JSON');
  const body = Buffer.from(await answer.arrayBuffer());
  if (body.length > MAX_BYTES) throw new ClientRefused('its document is too long');
  const parsed = ClientDocument.safeParse(JSON.parse(body.toString()));
  if (!parsed.success) throw new ClientRefused(`its document: ${parsed.error.message}`);
  const document = parsed.data;
  if (document.client_id !== clientId) throw new ClientRefused('its document is that of another client_id');
  if (!document.redirect_uris.includes(request.get('redirect_uri') ?? ''))
    throw new ClientRefused('its document does not list the redirect_uri');
  if (!document.response_types.includes(request.get('response_type') ?? ''))
    throw new ClientRefused('its document does not list the response_type');
  for (const grant of ['authorization_code', 'refresh_token'])
    if (!document.grant_types.includes(grant)) throw new ClientRefused(`its document does not list ${grant}`);
  return { document, cacheControl: answer.headers.get('cache-control') };
}

function checkClientId(clientId: string): void {
  if (!URL.canParse(clientId)) throw new ClientRefused('its client_id is no URL');
  const { protocol, hostname, pathname, hash, username, password } = new URL(clientId);
  // §8.6: an authorization server on this machine may read loopback addresses.
  if (protocol !== 'https:' && !(protocol === 'http:' && isLoopbackHost(hostname)))
    throw new ClientRefused('its client_id is not https');
  if (pathname === '/' || hash !== '' || username !== '' || password !== '')
    throw new ClientRefused('its client_id has no path, or a fragment or a user');
  if (/\/(\.|%2e){1,2}(\/|$)/i.test(clientId)) throw new ClientRefused('its client_id has a dot segment');
}
