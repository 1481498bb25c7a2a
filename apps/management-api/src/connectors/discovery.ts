import { ProtectedResourceMetadata, wellKnownUrl } from '@legate/oauth';
import { ForbiddenAddress, type HttpClient, UnusableAnswer } from '@legate/service';
import { z } from 'zod';
import { ScopeToken } from './connector.ts';

export type Discovered =
  | {
      readonly kind: 'found';
      readonly authorizationServers: string[];
      readonly scopesSupported: string[] | null;
    }
  /** It answered, and not with what can be used. */
  | { readonly kind: 'unusable'; readonly code: UnusableCode }
  | { readonly kind: 'unreachable'; readonly code: 'unreachable' | 'address_forbidden' };
export type UnusableCode = 'metadata_not_found' | 'metadata_invalid' | 'metadata_of_another_resource';

/** Printable ASCII of bounded size and number: a peer says this, and we store it. */
const Stored = z.object({
  authorization_servers: z
    .array(
      z
        .string()
        .max(2048)
        .regex(/^https?:\/\/[\x21-\x7e]+$/),
    )
    .max(20)
    .optional(),
  scopes_supported: z.array(ScopeToken).max(500).optional(),
});

/**
 * Reads what a tool server says of itself: below its path first, then at the root of its host, as MCP clients do.
 * @see RFC 9728 §3.1, and §3.3 for the check of `resource`
 */
export async function discoverResource(
  resourceUrl: string,
  getJson: HttpClient['getJson'],
): Promise<Discovered> {
  const { origin, search } = new URL(resourceUrl);
  const suffix = 'oauth-protected-resource';
  const candidates = new Set([`${wellKnownUrl(resourceUrl, suffix)}${search}`, wellKnownUrl(origin, suffix)]);
  for (const url of candidates) {
    try {
      return read(await getJson(url), resourceUrl);
    } catch (err) {
      const failure = failureOf(err);
      if (failure.kind === 'unusable' && failure.code === 'metadata_not_found') continue;
      return failure;
    }
  }
  return { kind: 'unusable', code: 'metadata_not_found' };
}

function read(document: unknown, resourceUrl: string): Discovered {
  const parsed = ProtectedResourceMetadata.safeParse(document);
  const stored = Stored.safeParse(document);
  if (!parsed.success || !stored.success) return { kind: 'unusable', code: 'metadata_invalid' };
  if (!isSameResource(parsed.data.resource, resourceUrl)) {
    return { kind: 'unusable', code: 'metadata_of_another_resource' };
  }
  return {
    kind: 'found',
    authorizationServers: stored.data.authorization_servers ?? [],
    scopesSupported: stored.data.scopes_supported ?? null,
  };
}

/** URL libraries add a slash to a bare origin; that one difference is tolerated, and no other. */
const isSameResource = (given: string, wanted: string): boolean =>
  given === wanted || (given === `${wanted}/` && new URL(wanted).pathname === '/');

function failureOf(err: unknown): Exclude<Discovered, { kind: 'found' }> {
  if (err instanceof UnusableAnswer) {
    const { status = 0 } = err;
    if (status >= 500 || status === 429) return { kind: 'unreachable', code: 'unreachable' };
    return { kind: 'unusable', code: status >= 400 ? 'metadata_not_found' : 'metadata_invalid' };
  }
  return { kind: 'unreachable', code: isForbidden(err) ? 'address_forbidden' : 'unreachable' };
}

const isForbidden = (err: unknown): boolean =>
  typeof err === 'object' && err !== null && 'cause' in err && err.cause instanceof ForbiddenAddress;
