import { causesOf } from '@legate/guarded-fetch';
import {
  AuthorizationServerMetadata,
  type ChosenIssuer,
  chooseIssuer,
  describeBody,
  findDocument,
  isSpelledAlike,
  membersAtFault,
  type OtherAnswer,
  readProtectedResource,
  resourceMetadataUrls,
  serverMetadataUrls,
  shownUrl,
} from '@legate/oauth';
import { type Outage, readRetryAfter } from '@legate/service/outbound';
import type { z } from 'zod';
import { parseObject } from '../json-object.ts';
import { classifyFailure } from '../peer-failure.ts';

/** A metadata document of a peer: JSON whose content has not been checked. */
export type FetchedDocument =
  | {
      readonly kind: 'found';
      readonly document: unknown;
      /** URL of the document */
      readonly url: string;
      readonly maxAgeSeconds: number;
    }
  /** The peer has no such document: 404 or 410, and nothing else. */
  | { readonly kind: 'absent' }
  | ({ readonly kind: 'unavailable'; readonly reason: string; readonly retryable: boolean } & Outage)
  | {
      readonly kind: 'unusable';
      readonly reason: string;
      /** The response is not a JSON object, but for example a page, a redirect to one, or empty. */
      readonly isPage?: boolean;
    };

/**
 * The reason why there is no usable metadata. Only with `unsupported` does the peer itself declare that it has none.
 */
export type NothingFound =
  | { readonly kind: 'unsupported'; readonly reason: string }
  | Exclude<FetchedDocument, { kind: 'found' | 'absent' }>;

export const unsupported = (reason: string): NothingFound => ({ kind: 'unsupported', reason });
export const NO_RESOURCE_METADATA = unsupported('it publishes no protected resource metadata');

/**
 * Metadata is read again after an hour at the latest, and after a minute at the earliest, whatever the peer's cache
 * headers are.
 */
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
        reason: `metadata at ${shownUrl(url)}: status ${answer.status} and ${describeBody(headersOf(answer))}`,
        retryable: answer.status >= 500,
        status: answer.status,
        retryAfterSeconds: readRetryAfter(answer.headers.get('retry-after')),
      };
    const text = await answer.text();
    const document = parseObject(text);
    if (!document)
      return {
        kind: 'unusable',
        isPage: true,
        reason: `its metadata at ${shownUrl(url)} is not a JSON object, but ${describeBody({ ...headersOf(answer), text })}`,
      };
    return {
      kind: 'found',
      document,
      url,
      maxAgeSeconds: maxAgeOf(answer.headers.get('cache-control')),
    };
  } catch (err) {
    if (isRedirect(err))
      return { kind: 'unusable', isPage: true, reason: `its metadata at ${url} is a redirect` };
    const failed = classifyFailure(err);
    return failed.kind === 'unavailable'
      ? failed
      : { kind: 'unusable', reason: `metadata: ${describe(failed)}` };
  }
}

/** Returns true for a redirect, for example to a sign-in. Redirects are not followed. */
const isRedirect = (err: unknown): boolean =>
  causesOf(err).some(({ status }) => typeof status === 'number' && status >= 300 && status < 400);

/** Returns the headers that identify the responding server and the type of its response. */
const headersOf = ({ headers }: Response): OtherAnswer => ({
  type: headers.get('content-type') ?? undefined,
  server: headers.get('server') ?? undefined,
});

/** Reports a document that lacks members that its standard requires, or has members of the wrong type. */
export const malformed = (
  name: 'protected resource metadata' | 'authorization server metadata',
  error: z.ZodError,
  document: unknown,
  url: string,
): Extract<FetchedDocument, { kind: 'unusable' }> => ({
  kind: 'unusable',
  reason: `its ${name} at ${shownUrl(url)} is malformed: ${membersAtFault(error, document)}`,
});

/** Returns the first document that exists at one of several URLs. */
export const fetchFirstDocument = async (
  urls: readonly string[],
  fetch: typeof globalThis.fetch,
): Promise<FetchedDocument> =>
  (await findDocument(urls, (url) => fetchDocument(url, fetch), statusOf)) ?? { kind: 'absent' };

/** @returns undefined if there is no response, or an unusable one */
function statusOf(fetched: FetchedDocument): number | 'page' | undefined {
  if (fetched.kind === 'found') return 200;
  if (fetched.kind === 'unusable' && fetched.isPage) return 'page';
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

type ServerDiscovery =
  | {
      readonly kind: 'found';
      readonly metadata: AuthorizationServerMetadata;
      readonly maxAgeSeconds: number;
      /** URL of the metadata */
      readonly url: string;
    }
  | Exclude<FetchedDocument, { kind: 'found' }>;

/**
 * Reads an authorization server's metadata from the URLs that follow from its issuer, in the order that MCP prescribes.
 * @see RFC 8414 §3.1 and, for the check of `issuer`, §3.3
 */
async function discoverAuthorizationServer(
  issuer: string,
  isPinned: boolean,
  fetch: typeof globalThis.fetch,
): Promise<ServerDiscovery> {
  const fetched = await fetchFirstDocument(serverMetadataUrls(issuer), fetch);
  if (fetched.kind !== 'found') return fetched;
  const parsed = AuthorizationServerMetadata.safeParse(fetched.document);
  if (!parsed.success)
    return malformed('authorization server metadata', parsed.error, fetched.document, fetched.url);
  // A document for another issuer would let a hostile server impersonate an honest one.
  if (parsed.data.issuer !== issuer)
    return { kind: 'unusable', reason: anotherIssuer(issuer, parsed.data.issuer, isPinned) };
  return { kind: 'found', metadata: parsed.data, maxAgeSeconds: fetched.maxAgeSeconds, url: fetched.url };
}

/** @param said the issuer in the metadata */
function anotherIssuer(issuer: string, said: string, isPinned: boolean): string {
  const meant = `the authorization server that ${isPinned ? 'the connector pins' : 'its resource metadata lists'} as ${named(issuer)}`;
  return isSpelledAlike(issuer, said)
    ? `${meant} calls itself ${named(said)}: if an administrator trusts it, they can pin the issuer on the connector in that spelling`
    : `${meant} has metadata of another issuer, ${named(said)}, which must not be used`;
}

const MAX_NAMED = 200;

/** Returns a URL of a peer for use in a reason: printable ASCII, truncated. */
const named = (url: string): string => {
  const printable = url.replace(/[^\x21-\x7e]/g, '?');
  return printable.length > MAX_NAMED ? `${printable.slice(0, MAX_NAMED)}…` : printable;
};

/** Returns how clients authenticate at the token endpoint. Metadata without this member means Basic (RFC 8414 §2). */
export const authMethodsOf = ({
  token_endpoint_auth_methods_supported: methods,
}: AuthorizationServerMetadata): readonly string[] => (methods?.length ? methods : ['client_secret_basic']);

/**
 * Fetches a resource's metadata: first for its path, then at the root of its host, as MCP clients do.
 * @see RFC 9728 §3.1 and, for the check of `resource`, §3.3
 */
export async function discoverProtectedResource(resource: string, fetch: typeof globalThis.fetch) {
  const fetched = await fetchFirstDocument(resourceMetadataUrls(resource), fetch);
  if (fetched.kind !== 'found') return fetched;
  const read = readProtectedResource(fetched.document, resource);
  if (read.kind === 'malformed')
    return malformed('protected resource metadata', read.error, fetched.document, fetched.url);
  if (read.kind === 'another_resource')
    return {
      kind: 'unusable',
      reason: `its protected resource metadata is for ${named(read.resource)}, and the connector for ${named(resource)}: if an administrator trusts it, they can set resource_url to the former, and mcp_url to the MCP endpoint`,
    } as const;
  return {
    kind: 'found' as const,
    authorizationServers: read.metadata.authorization_servers ?? [],
    scopesSupported: read.metadata.scopes_supported ?? [],
    maxAgeSeconds: fetched.maxAgeSeconds,
  };
}

/** Returns why none of the authorization servers in the metadata may be used, and what can be changed. */
function whyNone(kind: Exclude<ChosenIssuer['kind'], 'chosen'>, listed: readonly string[]): string {
  const names = listed.slice(0, 3).map(named).join(', ');
  switch (kind) {
    case 'none_listed':
      return 'its resource metadata lists no authorization server';
    case 'not_listed':
      return `its resource metadata does not list the issuer that the connector pins, but ${names}`;
    case 'not_pinned':
      return `its authorization server has another origin: pin the issuer on the connector (${names})`;
  }
}

/**
 * Discovers the protected resource metadata, then the authorization server and its metadata. If no server may be used,
 * the outcome is never `unsupported`: a tool server must not be able to choose its authentication method.
 * @see RFC 9728 §3.3, RFC 8414 §3.3
 */
export async function discoverServer(
  where: Parameters<typeof chooseIssuer>[0],
  fetch: typeof globalThis.fetch,
) {
  const resource = await discoverProtectedResource(where.resource, fetch);
  if (resource.kind === 'absent') return NO_RESOURCE_METADATA;
  if (resource.kind !== 'found') return resource;
  const chosen = chooseIssuer(where, resource.authorizationServers);
  if (chosen.kind !== 'chosen')
    return { kind: 'unusable', reason: whyNone(chosen.kind, resource.authorizationServers) } as const;
  const { issuer } = chosen;
  const server = await discoverAuthorizationServer(issuer, where.issuer !== undefined, fetch);
  return { kind: 'found', resource, issuer, server } as const;
}
