import { isScopeToken, parseBearerChallenge } from '@legate/oauth';
import { readRetryAfter } from '@legate/service/outbound';
import { readRpcAnswer } from './json-rpc.ts';
import type { McpAnswer } from './mcp-answer.ts';
import { isUnanswered, type RawAnswer } from './send-http.ts';

/** More scopes than any tool needs: the challenge is untrusted input. */
const MAX_SCOPES = 50;

/** Turns an HTTP answer into what it means, the same for all protocol revisions. */
export function readAnswer(raw: RawAnswer, id: number): McpAnswer {
  const { status } = raw;
  // The request may have been processed all the same, as with a broken connection.
  if (status === 200 && isUnanswered(raw))
    return { kind: 'unavailable', reason: 'its stream ended before the answer' };
  if (status === 200) return readRpcAnswer(raw.text, id, status);
  if (status === 401) return { kind: 'unauthorized' };
  if (status === 403) return readForbidden(raw);
  if (status >= 300 && status < 400) return { kind: 'unusable', reason: 'it redirects' };
  // 500 is a fault in this one call; the others say that the server or what is behind it cannot serve at the moment.
  if (status === 429 || status > 500)
    return {
      kind: 'unavailable',
      reason: `it answered with status ${status}`,
      status,
      retryAfterSeconds: readRetryAfter(raw.headers['retry-after']),
    };
  // It has been accepted, and the tool may have run: this is no refusal after which an older revision is tried.
  if (status < 300) return { kind: 'unusable', reason: `it answered with status ${status}` };
  const answer = readRpcAnswer(raw.text, id, status);
  if (answer.kind === 'error') return answer;
  return status === 500
    ? { kind: 'unusable', reason: 'it answered with status 500' }
    : { kind: 'rejected', status };
}

/** Tool servers answer in JSON or without a body. What is in front of them has pages for people. */
const isPage = ({ headers, text }: RawAnswer): boolean =>
  /^(?:text\/html|application\/xhtml)/i.test(headers['content-type'] ?? '') ||
  /^\s*<(?:!doctype|html)/i.test(text);

/** RFC 6750 §3.1: only `insufficient_scope` can be cured by another token. */
function readForbidden(raw: RawAnswer): McpAnswer {
  const header = raw.headers['www-authenticate'];
  const challenge = parseBearerChallenge(Array.isArray(header) ? header.join(', ') : header);
  if (challenge === undefined && isPage(raw))
    return {
      kind: 'unusable',
      reason: 'something in front of it answered 403 with a page, as a firewall does',
    };
  if (challenge?.error !== 'insufficient_scope') return { kind: 'forbidden' };
  const scopes = (challenge.scope ?? '').split(' ').filter(isScopeToken).slice(0, MAX_SCOPES);
  return scopes.length > 0 ? { kind: 'insufficient_scope', scopes } : { kind: 'forbidden' };
}
