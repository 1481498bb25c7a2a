import { readProtectedResource, resourceMetadataUrls } from '@legate/oauth';
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
 * Fetches a resource's metadata: first for its path, then at the root of its host, as MCP clients do.
 * @see RFC 9728 §3.1 and, for the check of `resource`, §3.3
 */
export async function discoverProtectedResource(
  resource: string,
  fetch: typeof globalThis.fetch,
): Promise<ResourceDiscovery> {
  const fetched = await fetchFirstDocument(resourceMetadataUrls(resource), fetch);
  if (fetched.kind !== 'found') return fetched;
  const read = readProtectedResource(fetched.document, resource);
  if (read.kind !== 'read') return { kind: 'unusable', reason: REASONS[read.kind] };
  return {
    kind: 'found',
    authorizationServers: read.metadata.authorization_servers ?? [],
    scopesSupported: read.metadata.scopes_supported ?? [],
    maxAgeSeconds: fetched.maxAgeSeconds,
  };
}

const REASONS = {
  malformed: 'its protected resource metadata has members of the wrong type',
  another_resource: 'its protected resource metadata is about another resource',
} as const;
