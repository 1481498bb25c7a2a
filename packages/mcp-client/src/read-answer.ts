import {
  describeBody,
  isPage,
  isScopeToken,
  type OtherAnswer,
  parseBearerChallenge,
  shownUrl,
} from '@legate/oauth';
import { readRetryAfter } from '@legate/service/outbound';
import { readRpcAnswer } from './json-rpc.ts';
import type { McpAnswer } from './mcp-answer.ts';
import { isUnanswered, type RawAnswer } from './send-http.ts';
import { encodingOf, UNPACKERS } from './unpackers.ts';

/** More scopes than any tool needs. Limited because the challenge is untrusted input. */
const MAX_SCOPES = 50;

/** Interprets an HTTP response, in the same way for all protocol revisions. */
export function readAnswer(raw: RawAnswer, id: number): McpAnswer {
  const { status } = raw;
  // The request may still have been processed, as with a broken connection.
  if (status === 200 && isUnanswered(raw))
    return { kind: 'unavailable', reason: 'its stream ended before the answer' };
  if (status === 200) {
    const answer = readRpcAnswer(raw.text, id, status);
    return answer.kind === 'unusable' && isPage(bodyOf(raw)) ? notMcp(raw) : answer;
  }
  if (status === 401) return readUnauthorized(raw);
  if (status === 403) return readForbidden(raw);
  if (status >= 300 && status < 400) return redirects(raw);
  // 500 is a fault in this one call; the others mean that the server, or a service that it uses, is unavailable at the
  // moment.
  if (status === 429 || status > 500)
    return {
      kind: 'unavailable',
      reason: withPage(raw),
      status,
      retryAfterSeconds: readRetryAfter(raw.headers['retry-after']),
    };
  // The request was accepted and the tool may have run, so this is not a refusal after which an older revision is
  // tried.
  if (status < 300) return { kind: 'unusable', reason: `it answered with status ${status}` };
  const answer = readRpcAnswer(raw.text, id, status);
  if (answer.kind === 'error') return answer;
  return status === 500
    ? { kind: 'unusable', reason: withPage(raw) }
    : { kind: 'rejected', status, ...(isPage(bodyOf(raw)) && { body: describeBody(bodyOf(raw)) }) };
}

function bodyOf(raw: RawAnswer): OtherAnswer {
  const { headers, text } = raw;
  const encoding = encodingOf(headers['content-encoding']);
  const isRead = !isUnanswered(raw) && (encoding === '' || UNPACKERS.has(encoding));
  return {
    type: headers['content-type'],
    text: isRead ? text : undefined,
    server: typeof headers.server === 'string' ? headers.server : undefined,
  };
}

/**
 * Mentions an HTML page. Tool servers respond in JSON, in a few words, or without a body; proxies and firewalls in
 * front of them send pages for people.
 */
const withPage = (raw: RawAnswer): string =>
  `it answered with status ${raw.status}${isPage(bodyOf(raw)) ? ` and ${describeBody(bodyOf(raw))}` : ''}`;

const notMcp = (raw: RawAnswer): McpAnswer => ({
  kind: 'unusable',
  reason: `it answered with status ${raw.status} and ${describeBody(bodyOf(raw))}, which is no answer of MCP: it may come from something in front of the tool server, such as a firewall, or from another address than that of its MCP endpoint`,
});

/** A redirect is not followed, because that would send our credential to another address. */
function redirects({ status, headers: { location } }: RawAnswer): McpAnswer {
  const to =
    location === undefined ? '' : ` to ${URL.canParse(location) ? shownUrl(location) : 'a path of its own'}`;
  return { kind: 'unusable', reason: `it redirects (status ${status})${to}, which is not followed` };
}

const challengeOf = ({ headers }: RawAnswer) => {
  const header = headers['www-authenticate'];
  return parseBearerChallenge(Array.isArray(header) ? header.join(', ') : header);
};

/** A new token is requested in any case, because some frameworks send a page of their own with a 401. */
const readUnauthorized = (raw: RawAnswer): McpAnswer =>
  challengeOf(raw) === undefined && isPage(bodyOf(raw))
    ? { kind: 'unauthorized', body: describeBody(bodyOf(raw)) }
    : { kind: 'unauthorized' };

/**
 * Cloudflare's firewall sends programs a short text, not a page. `Server` alone proves nothing, because responses of
 * servers behind Cloudflare have that header, too.
 */
const isOfCloudflare = ({ server, text = '' }: OtherAnswer): boolean =>
  server === 'cloudflare' && /^error code: 1\d{3}\s*$/.test(text);

/** RFC 6750 §3.1: another token helps only with `insufficient_scope`. */
function readForbidden(raw: RawAnswer): McpAnswer {
  const challenge = challengeOf(raw);
  if (challenge === undefined) {
    const body = bodyOf(raw);
    return isPage(body) || isOfCloudflare(body)
      ? notMcp(raw)
      : { kind: 'forbidden', body: describeBody(body) };
  }
  if (challenge.error !== 'insufficient_scope') return { kind: 'forbidden' };
  const scopes = (challenge.scope ?? '').split(' ').filter(isScopeToken).slice(0, MAX_SCOPES);
  return scopes.length > 0 ? { kind: 'insufficient_scope', scopes } : { kind: 'forbidden' };
}
