import {
  CAPABILITY_MISSING,
  HEADER_MISMATCH,
  INVALID_REQUEST,
  LEGACY_REVISIONS,
  MODERN_REVISION,
  parseObject,
  type Revision,
  UNSUPPORTED_VERSION,
} from '@legate/mcp-wire';
import type { McpAnswer } from './mcp-answer.ts';
import type { McpRequest } from './mcp-request.ts';

/** Error codes that only servers of the modern revision (2026-07-28) use. */
const MODERN_ERRORS: readonly number[] = [HEADER_MISMATCH, CAPABILITY_MISSING, UNSUPPORTED_VERSION];

/** The newest first */
const REVISIONS: readonly Revision[] = [MODERN_REVISION, ...LEGACY_REVISIONS];

/** Returns undefined if a server has not refused the revision, or lists none that the client supports. */
export function bestCommonRevision(answer: McpAnswer): Revision | undefined {
  if (answer.kind !== 'error' || answer.code !== UNSUPPORTED_VERSION) return undefined;
  const supported = parseObject(answer.data ?? '')?.supported;
  if (!Array.isArray(supported)) return undefined;
  return REVISIONS.find((revision) => supported.includes(revision));
}

export const isModern = (answer: McpAnswer): boolean =>
  answer.kind === 'result' || answer.kind === 'input_required' || isModernError(answer);

export const isModernError = (answer: McpAnswer): boolean =>
  answer.kind === 'error' && MODERN_ERRORS.includes(answer.code);

/**
 * Returns true if a server may support only older revisions: it rejected the request as such. 401, 403 and 5xx prove
 * nothing, and neither does an error that a tool may have returned. A server of the modern revision describes itself.
 */
export function suggestsLegacy(answer: McpAnswer, { method }: McpRequest): boolean {
  if (answer.kind === 'rejected') return true;
  if (answer.kind !== 'error' || isModernError(answer) || answer.status >= 500) return false;
  return answer.status !== 200 || answer.code === INVALID_REQUEST || method === 'server/discover';
}

export const statusOf = (answer: McpAnswer): number | undefined =>
  answer.kind === 'rejected' || answer.kind === 'error' ? answer.status : undefined;
