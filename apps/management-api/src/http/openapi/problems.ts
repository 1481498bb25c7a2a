import type { JsonSchema } from '@legate/operations';
import { FIELD_CODES } from '@legate/service';
import { isScope } from '../api/access.ts';
import { isNegotiated, type Operation } from '../api/operation.ts';

/** The schema of problem details (RFC 9457), as `problemHandler` writes them. */
export const PROBLEM: JsonSchema = {
  type: 'object',
  description: 'Problem details (RFC 9457). Decide by `code`: the texts may change.',
  required: ['type', 'title', 'status', 'code', 'instance', 'request_id'],
  properties: {
    type: { type: 'string', format: 'uri', description: 'Where the code is documented' },
    title: { type: 'string' },
    status: { type: 'integer', minimum: 400, maximum: 599 },
    code: { type: 'string', pattern: '^[a-z_]+$', description: 'Stable, part of the API' },
    detail: { type: 'string' },
    instance: { type: 'string', description: 'Path of the request' },
    request_id: { type: 'string', description: 'Also in `X-Request-Id`' },
    errors: {
      type: 'array',
      description:
        'The faults, each with a `pointer` into the body, or the `parameter` or `header` that has the fault',
      items: {
        type: 'object',
        required: ['code', 'detail'],
        additionalProperties: false,
        properties: {
          pointer: { type: 'string', description: 'JSON Pointer (RFC 6901)' },
          parameter: { type: 'string' },
          header: { type: 'string' },
          code: {
            type: 'string',
            description: `Stable: ${FIELD_CODES.map((code) => `\`${code}\``).join(', ')}, or a code for a rule of this field only`,
          },
          detail: { type: 'string' },
        },
      },
    },
    required_scope: { type: 'string', description: 'With 403 `insufficient_permission`' },
    required_role: {
      type: 'string',
      description: 'With 403 `insufficient_permission`: the caller needs this role or a stronger one',
    },
    present: { type: 'integer', description: 'With 409 `quota_exceeded`' },
    deleted: {
      type: 'integer',
      description: 'With 409 `quota_exceeded`: number of deleted items that are not purged yet',
    },
    limit: { type: 'integer', description: 'With 409 `quota_exceeded`' },
    organization_status: {
      enum: ['suspended', 'deleted'],
      description: 'With 403 `organization_suspended` and `organization_deleted`',
    },
    purge_at: {
      type: ['string', 'null'],
      format: 'date-time',
      description:
        'With 403 `organization_deleted`: time until which an owner can restore it; `null`: it was purged',
    },
    active_members: {
      type: 'integer',
      description: 'With 409 `last_owner`: number of active members, who could become an owner',
    },
    scope: {
      enum: ['organization', 'user'],
      description:
        'With 429 `rate_limit_exceeded`: whether the plan is used up, or only the share of it that one of several users may have',
    },
    subject: { type: 'string', description: 'With 403 `service_account_unknown`: the subject to register' },
    retry_after: { type: 'integer', description: 'With 429: seconds to wait' },
  },
  examples: [
    {
      type: 'https://api.example/errors/validation_failed',
      title: 'Request validation failed',
      status: 400,
      code: 'validation_failed',
      detail: '1 field is invalid.',
      instance: '/api/v1/sites',
      request_id: 'req_01JZ8Q4T9V0M6R3YB2N7K5X1CD',
      errors: [
        { pointer: '/allowed_origins/1', code: 'origin_has_path', detail: 'Use "https://app.acme.com".' },
      ],
    },
  ],
};

/**
 * Returns codes by status: those that the operation declares, and those that follow from the rest of its declaration.
 */
export function problemCodes(operation: Operation): Map<number, string[]> {
  const { access, body, ifMatch, isIdempotent, method, path, query } = operation;
  const codes = new Map<number, string[]>();
  const add = (status: number, ...more: readonly string[]) => {
    codes.set(status, [...new Set([...(codes.get(status) ?? []), ...more])]);
  };
  const hasParameters = path.includes('{');

  add(400, 'unknown_parameter');
  if (query || body || isIdempotent) add(400, 'validation_failed');
  if (hasParameters) add(400, 'malformed_path');
  if (method === 'post' && !isIdempotent) add(400, 'idempotency_not_supported');
  if (body) add(400, 'malformed_json');
  if (hasParameters) add(404, 'not_found');
  if (body) {
    add(413, 'payload_too_large');
    add(415, 'unsupported_media_type');
  }
  if (isNegotiated(operation)) add(406, 'not_acceptable');
  if (ifMatch) add(412, 'version_mismatch');
  if (isIdempotent) {
    add(409, 'idempotency_in_progress');
    add(422, 'idempotency_key_reused');
  }
  if (access !== 'public') {
    add(401, 'token_missing', 'token_invalid', 'token_expired');
    add(429, 'rate_limit_exceeded');
    add(503, 'service_unavailable', 'idp_unavailable');
    add(403, 'organization_ambiguous', 'organization_suspended', 'organization_deleted');
    if (access !== 'uncounted') {
      add(403, 'membership_revoked', 'membership_deactivated');
      add(403, 'consent_denied', 'membership_required', 'member_limit_reached');
      add(403, 'service_account_unknown', 'service_account_disabled', 'address_not_allowed');
      add(429, 'concurrency_exceeded');
    }
  }
  if (isScope(access)) add(403, 'organization_id_required', 'insufficient_permission');
  if (operation.tokenScope || operation.isForPeople) add(403, 'insufficient_permission');
  if (operation.transaction) {
    add(401, 'transaction_token_invalid', 'transaction_token_expired');
    add(403, 'transaction_mismatch', 'transaction_used', 'workload_required', 'workload_unknown');
  }
  for (const [status, declared] of Object.entries(operation.problems ?? {})) add(Number(status), ...declared);
  add(500, 'internal_error');
  return new Map([...codes].sort(([a], [b]) => a - b));
}
