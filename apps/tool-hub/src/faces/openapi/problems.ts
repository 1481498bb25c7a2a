import { z } from 'zod';
import { type HubProblemCode, PROBLEMS } from '../../domain/problem-codes.ts';
import type { HubOperation } from '../api/operation.ts';

/** Problem of RFC 9457, as `problemHandler` writes it. Some codes have further members. */
export const Problem = z
  .looseObject({
    type: z.url(),
    title: z.string(),
    status: z.int(),
    code: z.string().describe('Stable. Programs should decide by this code.'),
    detail: z.string().optional(),
    instance: z.string(),
    request_id: z.string(),
    errors: z
      .array(
        z.strictObject({
          pointer: z.string().optional(),
          parameter: z.string().optional(),
          header: z.string().optional(),
          code: z.string(),
          detail: z.string(),
        }),
      )
      .optional(),
    reason: z.string().optional().describe('Why the bearer token was refused'),
    claims: z
      .array(z.string())
      .optional()
      .describe('Names of the claims because of which the ID token was refused'),
    connector_id: z.string().optional(),
    required_scope: z.string().optional(),
    authorization: z
      .looseObject({ remediation: z.enum(['available', 'out_of_band', 'none']) })
      .optional()
      .describe('What can be done about a denial, in the same form as at `/mcp`'),
  })
  .describe('Problem details (RFC 9457)');

/** Problems that any authenticated request can cause. The body is read before the operation is known. */
const EVERYWHERE = [
  ...['token_missing', 'token_invalid', 'token_expired', 'organization_id_required'],
  ...['session_ended', 'signed_out', 'user_id_unsupported', 'organization_ambiguous'],
  ...['organization_suspended', 'membership_revoked', 'consent_denied'],
  ...['rate_limit_exceeded', 'concurrency_exceeded'],
  ...['idp_unavailable', 'session_store_unavailable', 'connectors_unavailable'],
  ...['malformed_json', 'payload_too_large', 'unsupported_media_type', 'hub_busy'],
] as const satisfies readonly HubProblemCode[];

/**
 * Returns codes by status: those that the operation declares, and those that follow from the rest of its declaration.
 */
export function problemsOf({ access, path, body, problems = [] }: HubOperation): Map<number, string[]> {
  const codes: readonly HubProblemCode[] = [
    ...(access === 'public' ? [] : EVERYWHERE),
    ...(path.includes('{') ? (['malformed_path', 'not_found'] as const) : []),
    ...(body ? (['validation_failed'] as const) : []),
    ...problems,
    'internal_error',
  ];
  const byStatus = new Map<number, string[]>();
  for (const code of new Set(codes)) {
    const { status } = PROBLEMS[code];
    byStatus.set(status, [...(byStatus.get(status) ?? []), code]);
  }
  return new Map([...byStatus].sort(([a], [b]) => a - b));
}
