import { isoTime } from '../../storage/columns.ts';
import type { Visible } from './visible.ts';

/** Bytes of JSON beyond which a list omits a value */
const LONG = 16 * 1024;

/**
 * Returns the SQL of an event as the API shows it; a row is `r`.
 * @param whole false: omits values that are too long for a list
 */
export function eventJson({ inFull }: Pick<Visible, 'inFull'>, whole: boolean): string {
  const context = (name: string, ...others: string[]) =>
    [`r.context->>'${name}'`, ...others.map((other) => `r.details->>'${other}'`)].join(', ');
  const shown = (value: string) => (inFull === 'true' ? value : `CASE WHEN ${inFull} THEN ${value} END`);
  const bounded = (column: string) =>
    whole ? `r.${column}` : `CASE WHEN octet_length(r.${column}::text) <= ${LONG} THEN r.${column} END`;
  const leftOut = (column: string) =>
    `CASE WHEN octet_length(r.${column}::text) > ${LONG} THEN '${column}' END`;
  const truncated = whole
    ? 'NULL::text[]'
    : `nullif(array_remove(ARRAY[${leftOut('changes')}, ${leftOut('details')}], NULL), '{}')`;
  return `json_build_object('id', r.id, 'action', r.action, 'occurred_at', ${isoTime('occurred_at')},
  'recorded_at', ${isoTime('recorded_at')},
  'actor', json_build_object('type', r.actor->>'type', 'id', r.actor->>'id', 'name', NULL::text,
    'email', ${shown("r.actor->>'email'")}),
  'targets', r.targets, 'changes', ${bounded('changes')},
  'context', json_build_object('request_id', r.context->>'request_id',
    'client_request_id', coalesce(${context('client_request_id', 'caller_request_id')}),
    'trace_id', coalesce(${context('trace_id', 'caller_trace_id', 'trace_id')}),
    'ip', ${shown("r.context->>'ip'")}, 'user_agent', ${shown("r.context->>'user_agent'")},
    'auth', r.context->>'auth', 'client_id', ${shown(`coalesce(${context('client_id', 'authorized_party')})`)},
    'token_id', ${shown(`coalesce(${context('token_id', 'id_token_hash', 'access_token_hash')})`)}),
  'details', ${bounded('details')}, 'truncated', ${truncated})`;
}
