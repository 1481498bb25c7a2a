import type { z } from 'zod';
import { ProtectedResourceMetadata } from './metadata.ts';
import { isBareOrigin } from './peer-urls.ts';

/**
 * Asks several places for a document and returns the answer that counts. Only 404 and 410 say that a place has none. A
 * place that is closed to us (another status below 500, such as 403), or that has a page or a redirect in its place, does
 * not end the search, but without a document elsewhere its answer counts: a firewall must not make a peer look as if it
 * published nothing. See docs/adr/0042.
 * @param ask requests one place
 * @param statusOf the HTTP status of an answer, or `page` for 200 with something else than a JSON object; undefined for an
 * answer that ends the search whatever it is
 * @returns undefined if no place has the document
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
 * Reads a resource's metadata, and refuses that of another one.
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
