import { normalizeRedirectUri } from '@legate/service/outbound';
import { resourceOf } from '../mcp/metadata.ts';
import { SCOPE } from './terms.ts';

/**
 * Parameters that are passed to oidc-provider. It would also interpret others, such as `nonce` or `claims`, unlike a
 * plain OAuth server.
 */
const HANDED_OVER = [
  'response_type',
  'client_id',
  'redirect_uri',
  'state',
  'code_challenge',
  'code_challenge_method',
  'resource',
] as const;

/**
 * Maximum length of `state`, which is stored while the user decides. Anybody can start that; clients use some hundred
 * characters.
 */
const MAX_STATE_LENGTH = 2048;

export type PreparedRequest =
  | { readonly kind: 'good'; readonly query: URLSearchParams }
  /** The request has no safe redirect URI yet. */
  | { readonly kind: 'bad'; readonly reason: string };

/**
 * Prepares an authorization request (RFC 6749 §4.1.1). Parameters that we do not know are ignored, and so are scopes that we
 * do not have (§3.3). Without a `resource`, the request is for the hub's whole MCP endpoint (RFC 8707 §2).
 * @param search of the request, as the browser sent it
 */
export function prepareRequest(search: string, publicUrl: string): PreparedRequest {
  const asked = new URLSearchParams(search);
  for (const name of new Set(asked.keys()))
    if (name !== 'resource' && asked.getAll(name).length > 1)
      return { kind: 'bad', reason: `repeated: ${name}` };
  if ((asked.get('state')?.length ?? 0) > MAX_STATE_LENGTH)
    return { kind: 'bad', reason: 'state is too long' };
  const query = new URLSearchParams();
  for (const name of HANDED_OVER)
    for (const value of asked.getAll(name)) if (value !== '') query.append(name, value);
  if (asked.get('prompt') === 'none') query.set('prompt', 'none');
  query.set('scope', SCOPE);
  settleResource(query, publicUrl);
  settleRedirectUri(query);
  return { kind: 'good', query };
}

/**
 * Finds the errors that oidc-provider would report with a redirect before the user has signed in. For a client that
 * neither operator nor organization has registered, such a redirect is an open redirector (RFC 9700 §4.11.2): anybody
 * can publish a client document with any redirect URI.
 * @returns why the request cannot be accepted; undefined if it can
 */
export function faultOf(
  query: URLSearchParams,
  isResource: (resource: string) => boolean,
): string | undefined {
  if (query.get('response_type') !== 'code') return 'response_type';
  if (query.get('code_challenge_method') !== 'S256') return 'code_challenge_method';
  if (!/^[A-Za-z0-9_-]{43}$/.test(query.get('code_challenge') ?? '')) return 'code_challenge';
  return isResource(query.get('resource') ?? '') ? undefined : 'resource';
}

/** Replaces `resource` by its normalized spelling, which is later compared with the one in tokens. */
export function settleResource(parameters: URLSearchParams, publicUrl: string): void {
  const resources = parameters.getAll('resource');
  // Several values are replaced by one that is not ours, which is then refused as `invalid_target`.
  const resource =
    resources.length > 1 ? resources.join(' ') : (resources[0] ?? resourceOf(publicUrl, undefined));
  parameters.set('resource', withoutSlash(resource));
}

/** Replaces `redirect_uri` by its normalized spelling, in which it is registered. */
export function settleRedirectUri(parameters: URLSearchParams): void {
  const uri = parameters.get('redirect_uri');
  if (uri) parameters.set('redirect_uri', normalizeRedirectUri(uri));
}

const withoutSlash = (resource: string): string => resource.replace(/\/$/, '');
