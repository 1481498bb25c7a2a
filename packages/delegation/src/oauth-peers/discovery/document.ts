import { findDocument } from '@legate/oauth';
import { type Outage, readRetryAfter } from '@legate/service/outbound';
import { classifyFailure } from '../peer-failure.ts';

/** A metadata document as a peer gave it: JSON, nothing about it checked. */
export type FetchedDocument =
  | { readonly kind: 'found'; readonly document: unknown; readonly maxAgeSeconds: number }
  /** The peer has no such document: 404 or 410, and nothing else. */
  | { readonly kind: 'absent' }
  | ({ readonly kind: 'unavailable'; readonly reason: string; readonly retryable: boolean } & Outage)
  | { readonly kind: 'unusable'; readonly reason: string };

/** Metadata is read again at least every hour, and at most once a minute, whatever the peer says. */
const MIN_AGE_SECONDS = 60;
const DEFAULT_AGE_SECONDS = 300;
const MAX_AGE_SECONDS = 3600;

/**
 * Fetches a document. Any response other than the document or its absence counts as an outage: a firewall's 403 must
 * not look like a tool server without metadata, whose connector may have a fallback.
 * @param fetch the guarded client's
 */
export async function fetchDocument(url: string, fetch: typeof globalThis.fetch): Promise<FetchedDocument> {
  try {
    const answer = await fetch(url, { headers: { Accept: 'application/json' } });
    if (answer.status === 404 || answer.status === 410) return { kind: 'absent' };
    if (answer.status !== 200)
      return {
        kind: 'unavailable',
        reason: `metadata: status ${answer.status}`,
        retryable: answer.status >= 500,
        status: answer.status,
        retryAfterSeconds: readRetryAfter(answer.headers.get('retry-after')),
      };
    return {
      kind: 'found',
      document: JSON.parse(await answer.text()),
      maxAgeSeconds: maxAgeOf(answer.headers.get('cache-control')),
    };
  } catch (err) {
    if (err instanceof SyntaxError) return { kind: 'unusable', reason: 'its metadata is not JSON' };
    const failed = classifyFailure(err);
    return failed.kind === 'unavailable'
      ? failed
      : { kind: 'unusable', reason: `metadata: ${describe(failed)}` };
  }
}

/** Reads the first of several places that has the document. */
export const fetchFirstDocument = async (
  urls: readonly string[],
  fetch: typeof globalThis.fetch,
): Promise<FetchedDocument> =>
  (await findDocument(urls, (url) => fetchDocument(url, fetch), statusOf)) ?? { kind: 'absent' };

/** @returns undefined for what is no answer, or none that can be used */
function statusOf(fetched: FetchedDocument): number | undefined {
  if (fetched.kind === 'found') return 200;
  if (fetched.kind === 'absent') return 404;
  return fetched.kind === 'unavailable' ? fetched.status : undefined;
}

const describe = (failed: { kind: 'refused' } | { kind: 'unusable'; reason: string }): string =>
  failed.kind === 'unusable' ? failed.reason : 'refused';

/** RFC 9111 §5.2.2.1, within our bounds. */
export function maxAgeOf(cacheControl: string | null): number {
  if (cacheControl && /(^|,)\s*no-(store|cache)\s*(,|$)/i.test(cacheControl)) return MIN_AGE_SECONDS;
  const maxAge = /(?:^|,)\s*max-age\s*=\s*"?(\d{1,9})/i.exec(cacheControl ?? '')?.[1];
  const seconds = maxAge === undefined ? DEFAULT_AGE_SECONDS : Number(maxAge);
  return Math.min(Math.max(seconds, MIN_AGE_SECONDS), MAX_AGE_SECONDS);
}
