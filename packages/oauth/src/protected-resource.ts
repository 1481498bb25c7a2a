import type { z } from 'zod';
import { ProtectedResourceMetadata } from './metadata.ts';
import { isBareOrigin } from './peer-urls.ts';

/**
 * Requests a document at several URLs and returns the deciding response. Only 404 and 410 mean that there is no
 * document at a URL. If access to a URL is refused (another status below 500, such as 403), or it returns a page or a
 * redirect, the search continues, but if no other URL has the document, that response decides: a firewall must not make
 * a peer look as if it published nothing. See docs/adr/0042.
 * @param ask requests one URL
 * @param statusOf the HTTP status of an answer, or `page` for 200 without a JSON object; undefined for a response that
 * ends the search in any case
 * @returns undefined if no URL has the document
 */
export async function findDocument<Place, Answer>(
  places: readonly Place[],
  ask: (place: Place) => Promise<Answer> | Answer,
  statusOf: (answer: Answer) => number | 'page' | undefined,
): Promise<Answer | undefined> {
  let closed: Answer | undefined;
  for (const place of places) {
    const answer = await ask(place);
    const status = statusOf(answer);
    if (status === 404 || status === 410) continue;
    const isClosed = status === 'page' || (status !== undefined && status < 500 && !FINAL.includes(status));
    if (!isClosed) return answer;
    closed ??= answer;
  }
  return closed;
}

const FINAL: readonly number[] = [200, 429];

export type ReadResource =
  | { readonly kind: 'read'; readonly metadata: ProtectedResourceMetadata }
  | { readonly kind: 'malformed'; readonly error: z.ZodError }
  | { readonly kind: 'another_resource'; readonly resource: string };

/**
 * Parses a resource's metadata, and refuses that of another resource.
 * @see RFC 9728 §2, §3.3
 */
export function readProtectedResource(document: unknown, resource: string): ReadResource {
  const { error, data: metadata } = ProtectedResourceMetadata.safeParse(document);
  if (error) return { kind: 'malformed', error };
  return isSameResource({ presented: metadata.resource, configured: resource })
    ? { kind: 'read', metadata }
    : { kind: 'another_resource', resource: metadata.resource };
}

/**
 * Returns true if a peer's resource identifier is the configured one. URL libraries add a slash to a bare origin, so
 * that one difference is tolerated, and no other (RFC 8707 §2, RFC 3986 §6.2.3). Do not use it for `iss`, nor for the
 * `aud` of a token that we accept.
 */
export function isSameResource(resource: { presented: string; configured: string }): boolean {
  const { presented, configured } = resource;
  return presented === configured || (presented === `${configured}/` && isBareOrigin(configured));
}
