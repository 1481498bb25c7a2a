import { AuthorizationServerMetadata, wellKnownUrl } from '@legate/oauth';
import { type FetchedDocument, fetchFirstDocument } from './document.ts';

export type ServerDiscovery =
  | {
      readonly kind: 'found';
      readonly metadata: AuthorizationServerMetadata;
      readonly maxAgeSeconds: number;
    }
  | Exclude<FetchedDocument, { kind: 'found' }>;

/**
 * Reads an authorization server's metadata from where its issuer says, in the order that MCP prescribes.
 * @see RFC 8414 §3.1 and, for the check of `issuer`, §3.3
 */
export async function discoverAuthorizationServer(
  issuer: string,
  fetch: typeof globalThis.fetch,
): Promise<ServerDiscovery> {
  const fetched = await fetchFirstDocument(serverMetadataUrls(issuer), fetch);
  if (fetched.kind !== 'found') return fetched;
  const parsed = AuthorizationServerMetadata.safeParse(fetched.document);
  if (!parsed.success)
    return { kind: 'unusable', reason: 'its authorization server metadata has members of the wrong type' };
  // A document that speaks for another issuer lets a hostile server borrow an honest one's name.
  if (parsed.data.issuer !== issuer)
    return { kind: 'unusable', reason: 'its authorization server metadata names another issuer' };
  return { kind: 'found', metadata: parsed.data, maxAgeSeconds: fetched.maxAgeSeconds };
}

/** Possible URLs of an issuer's metadata, in the order that MCP prescribes. */
export const serverMetadataUrls = (issuer: string): string[] => [
  ...new Set([
    wellKnownUrl(issuer, 'oauth-authorization-server'),
    wellKnownUrl(issuer, 'openid-configuration'),
    `${issuer.replace(/\/$/, '')}/.well-known/openid-configuration`,
  ]),
];
