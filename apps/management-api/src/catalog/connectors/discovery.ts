import { optional, strictIfThere } from '@legate/jwt';
import {
  AuthorizationServerMetadata,
  findDocument,
  readProtectedResource,
  resourceMetadataUrls,
  ScopeToken,
  serverMetadataUrls,
} from '@legate/oauth';
import { ForbiddenAddress, type HttpClient, UnusableAnswer } from '@legate/service';
import { z } from 'zod';

export type Discovered =
  | {
      readonly kind: 'found';
      readonly authorizationServers: string[];
      readonly scopesSupported: string[] | null;
    }
  /** The server responded, but its response cannot be used. */
  | { readonly kind: 'unusable'; readonly code: UnusableCode }
  | { readonly kind: 'unreachable'; readonly code: 'unreachable' | 'address_forbidden' };
export type UnusableCode = 'metadata_not_found' | 'metadata_invalid' | 'metadata_of_another_resource';

const MAX_SCOPES = 500;

/** Printable ASCII of limited length and number, because a peer sends it and we store it. */
const Stored = z.object({
  authorization_servers: strictIfThere(
    z
      .array(
        z
          .string()
          .max(2048)
          .regex(/^https?:\/\/[\x21-\x7e]+$/),
      )
      .max(20),
  ),
  scopes_supported: optional.texts.transform((scopes) =>
    scopes?.filter((scope) => ScopeToken.safeParse(scope).success).slice(0, MAX_SCOPES),
  ),
});

/**
 * Fetches a tool server's metadata from the same places and by the same rules as the hub.
 * @see RFC 9728 §3.1, and §3.3 for the check of `resource`
 */
export async function discoverResource(
  resourceUrl: string,
  getJson: HttpClient['getJson'],
): Promise<Discovered> {
  const ask = (url: string): Promise<Answer> =>
    getJson(url).then(
      (document) => ({ status: 200, outcome: read(document, resourceUrl) }),
      (err: unknown) => ({ status: statusOf(err), outcome: failureOf(err) }),
    );
  const answer = await findDocument(resourceMetadataUrls(resourceUrl), ask, ({ status }) => status);
  return answer?.outcome ?? { kind: 'unusable', code: 'metadata_not_found' };
}

/**
 * Returns the issuer in the metadata of the authorization server at an issuer's address; undefined if it cannot be read.
 * @see RFC 8414 §3.1
 */
export async function issuerAt(issuer: string, getJson: HttpClient['getJson']): Promise<string | undefined> {
  const ask = (url: string) =>
    getJson(url).then(
      (document) => ({ status: 200, document }),
      (err: unknown) => ({ status: statusOf(err), document: undefined }),
    );
  const answer = await findDocument(serverMetadataUrls(issuer), ask, ({ status }) => status);
  return AuthorizationServerMetadata.safeParse(answer?.document).data?.issuer;
}

interface Answer {
  /** Undefined: only that the request failed is known. */
  readonly status: number | 'page' | undefined;
  readonly outcome: Discovered;
}

function read(document: unknown, resourceUrl: string): Discovered {
  const resource = readProtectedResource(document, resourceUrl);
  const stored = Stored.safeParse(document);
  if (resource.kind === 'malformed' || !stored.success) return { kind: 'unusable', code: 'metadata_invalid' };
  if (resource.kind === 'another_resource') return { kind: 'unusable', code: 'metadata_of_another_resource' };
  return {
    kind: 'found',
    authorizationServers: stored.data.authorization_servers ?? [],
    scopesSupported: stored.data.scopes_supported ?? null,
  };
}

/** A failed connection ends the search. */
function statusOf(err: unknown): number | 'page' | undefined {
  if (!(err instanceof UnusableAnswer) || err.status === undefined) return undefined;
  return err.status === 200 || (err.status >= 300 && err.status < 400) ? 'page' : err.status;
}

function failureOf(err: unknown): Discovered {
  if (err instanceof UnusableAnswer) {
    const { status = 0 } = err;
    if (status >= 500 || status === 429) return { kind: 'unreachable', code: 'unreachable' };
    return { kind: 'unusable', code: status >= 400 ? 'metadata_not_found' : 'metadata_invalid' };
  }
  return { kind: 'unreachable', code: isForbidden(err) ? 'address_forbidden' : 'unreachable' };
}

const isForbidden = (err: unknown): boolean =>
  typeof err === 'object' && err !== null && 'cause' in err && err.cause instanceof ForbiddenAddress;
