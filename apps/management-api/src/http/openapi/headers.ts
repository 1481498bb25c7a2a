import type { Header } from '@legate/operations';
import type { Operation } from '../api/operation.ts';
import type { ResponseHeader } from '../api/response.ts';

const header = (description: string, type: 'string' | 'integer', example: unknown): Header => ({
  description,
  schema: { type, examples: [example] },
});

/** The response headers that are part of the API */
export const HEADERS = {
  'X-Request-Id': header(
    'Id of the request in logs and in the audit trail.',
    'string',
    'req_01JZ8Q4T9V0M6R3YB2N7K5X1CD',
  ),
  'API-Version': header('The API version that handled the request.', 'string', 'v1'),
  'X-RateLimit-Limit': header('Requests per minute of the plan.', 'integer', 60),
  'X-RateLimit-Remaining': header('Requests left in the running window.', 'integer', 59),
  'X-RateLimit-Reset': header('When the window ends, in seconds since the epoch.', 'integer', 1768478460),
  'RateLimit-Policy': header(
    'The plan, its requests and its window in seconds.',
    'string',
    '"free";q=60;w=60',
  ),
  RateLimit: header('Requests left, and seconds until the window ends.', 'string', '"free";r=59;t=42'),
  'Retry-After': header(
    'Seconds to wait. With a success: the tool hub had not confirmed the change in time, and knows it after these.',
    'integer',
    30,
  ),
  'WWW-Authenticate': header(
    'What is wrong with the token (RFC 6750 §3).',
    'string',
    'Bearer error="invalid_token"',
  ),
  ETag: header('The version of the resource, for `If-Match` and `If-None-Match`.', 'string', '"3"'),
  'Legate-Revocation': header(
    'Id of the revocation that is sent to the tool hub, for `GET /revocations/{id}`. Absent if nothing changed or there is no hub.',
    'string',
    'rev_01JZ8QAZ4W6Y8B0D2F4H6K8M0P',
  ),
  Location: header('Path of the new resource.', 'string', '/api/v1/sites/site_01JZ8Q4T9V0M6R3YB2N7K5X1CD'),
  'Idempotent-Replayed': header('`true` if this is the response to an earlier request.', 'string', 'true'),
  'Set-Cookie': header('A cookie of the sign-in pages.', 'string', '__Host-oauth=…'),
  'Content-Security-Policy': header('The policy of the page.', 'string', "default-src 'none'"),
  'Content-Disposition': header('The name of the file.', 'string', 'attachment; filename="audit-events.csv"'),
  Link: header(
    'The next page, relative to this one (RFC 8288), if there is one.',
    'string',
    '<?cursor=eyJz>; rel="next"',
  ),
  'Legate-From': header('Start of the range that was searched.', 'string', '2026-01-15T12:00:00.000Z'),
  Accept: header('Supported media types.', 'string', 'application/json'),
  'Accept-Patch': header(
    'Supported media types.',
    'string',
    'application/merge-patch+json, application/json',
  ),
} as const satisfies Record<ResponseHeader | string, Header>;

export type HeaderName = keyof typeof HEADERS;

const EVERYWHERE: readonly HeaderName[] = ['X-Request-Id', 'API-Version'];
/** Headers of every response to a valid token, even of a 401 because the user's access was revoked */
const RATE_LIMIT: readonly HeaderName[] = [
  'X-RateLimit-Limit',
  'X-RateLimit-Remaining',
  'X-RateLimit-Reset',
  'RateLimit-Policy',
  'RateLimit',
];

/** Headers that are sent with only some codes of a status, and are never needed to understand the response */
const HEADERS_OF: Readonly<Record<number, readonly HeaderName[]>> = {
  401: ['WWW-Authenticate'],
  403: ['WWW-Authenticate'],
  409: ['Retry-After', 'Idempotent-Replayed'],
  412: ['ETag'],
  415: ['Accept', 'Accept-Patch'],
  429: ['Retry-After'],
  503: ['Retry-After'],
};

/** Returns the headers of a response, apart from those that the operation declares. */
export function headersOf(
  { access, isIdempotent, method }: Operation,
  status: number,
): readonly HeaderName[] {
  const isReplayable = isIdempotent && (status < 400 || status === 404);
  return [
    ...EVERYWHERE,
    ...(access === 'public' ? [] : RATE_LIMIT),
    ...(HEADERS_OF[status] ?? []),
    ...(method !== 'get' && access !== 'public' && status < 300 ? (['Retry-After'] as const) : []),
    ...(isReplayable ? (['Idempotent-Replayed'] as const) : []),
  ];
}
