import { ProtectedResourceMetadata, wellKnownUrl } from '@legate/oauth';
import { type FetchedDocument, fetchFirstDocument } from './document.ts';

export type ResourceDiscovery =
  | {
      readonly kind: 'found';
      readonly authorizationServers: readonly string[];
      readonly scopesSupported: readonly string[];
      readonly maxAgeSeconds: number;
    }
  | Exclude<FetchedDocument, { kind: 'found' }>;

/**
 * Reads what a resource says of itself: below its path first, then at the root of its host, as MCP clients do.
 * @see RFC 9728 §3.1 and, for the check of `resource`, §3.3
 */
export async function discoverProtectedResource(
  resource: string,
  fetch: typeof globalThis.fetch,
): Promise<ResourceDiscovery> {
  const fetched = await fetchFirstDocument(resourceMetadataUrls(resource), fetch);
  if (fetched.kind !== 'found') return fetched;
  const parsed = ProtectedResourceMetadata.safeParse(fetched.document);
  if (!parsed.success)
    return { kind: 'unusable', reason: 'its protected resource metadata has members of the wrong type' };
  if (!isSameResource(parsed.data.resource, resource))
    return { kind: 'unusable', reason: 'its protected resource metadata is about another resource' };
  return {
    kind: 'found',
    authorizationServers: parsed.data.authorization_servers ?? [],
    scopesSupported: parsed.data.scopes_supported ?? [],
    maxAgeSeconds: fetched.maxAgeSeconds,
  };
}

/** Where the metadata of a resource may be, the more precise place first. */
export const resourceMetadataUrls = (resource: string): string[] => [
  ...new Set(
    [resource, new URL(resource).origin].map((url) => wellKnownUrl(url, 'oauth-protected-resource')),
  ),
];

/** URL libraries add a slash to a bare origin; that one difference is tolerated, and no other. */
export function isSameResource(given: string, configured: string): boolean {
  return given === configured || (given === `${configured}/` && new URL(configured).pathname === '/');
}
