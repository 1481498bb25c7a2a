/** An entry of `errors` in a problem document */
export interface FieldError {
  /** JSON Pointer into the body that was sent */
  readonly pointer?: string;
  readonly code: string;
  readonly detail: string;
}

/** An error response of a service, from its problem document (RFC 9457); or `unreachable` if no service responded. */
export class ApiProblem extends Error {
  override readonly name = 'ApiProblem';
  readonly status: number;
  readonly code: string;
  readonly title: string;
  readonly detail: string | undefined;
  readonly requestId: string | undefined;
  readonly errors: readonly FieldError[];
  readonly requiredScope: string | undefined;
  /** Id of the refused tool call, which is also the id of its audit event */
  readonly callId: string | undefined;
  /** Seconds after which the request may be sent again */
  readonly retryAfter: number | undefined;
  /** The whole document, with members that only some codes have */
  readonly document: Readonly<Record<string, unknown>>;

  constructor(
    status: number,
    document: Readonly<Record<string, unknown>>,
    headers: Headers,
    fallbackTitle: string,
  ) {
    const title = textOf(document.title) ?? fallbackTitle;
    super(title);
    this.status = status;
    this.title = title;
    this.document = document;
    this.code = textOf(document.code) ?? `http_${status}`;
    this.detail = textOf(document.detail);
    this.requestId = textOf(document.request_id) ?? headers.get('x-request-id') ?? undefined;
    this.errors = Array.isArray(document.errors) ? document.errors.flatMap(fieldError) : [];
    this.requiredScope = textOf(document.required_scope);
    this.callId = headers.get('legate-call-id') ?? undefined;
    this.retryAfter = secondsOf(headers.get('retry-after') ?? document.retry_after);
  }
}

/** Returns true for a problem with one of these codes. */
export const hasCode = (error: unknown, ...codes: readonly string[]): error is ApiProblem =>
  error instanceof ApiProblem && codes.includes(error.code);

/** Returns true for a problem that affects every page: no page can be read any more. */
export const shutsOut = (error: unknown): error is ApiProblem =>
  hasCode(
    error,
    ...['membership_revoked', 'membership_deactivated', 'organization_suspended', 'organization_deleted'],
  );

/**
 * Returns true for a refusal of the tokens of the console. False if the identity provider only wants something else
 * for one call, such as a session at the hub: signing in to the console again would not help.
 */
export const endsSession = ({ status, code, document }: ApiProblem): boolean =>
  status === 401 &&
  (code !== 'sign_in_required' || STRONGER.some((demand) => (document[demand] ?? null) !== null));

/** Members of a problem that say how strong a new sign-in has to be */
const STRONGER = ['max_age', 'acr_values', 'claims'];

const textOf = (value: unknown): string | undefined =>
  typeof value === 'string' && value !== '' ? value : undefined;

function secondsOf(value: unknown): number | undefined {
  const seconds = Number(value ?? Number.NaN);
  return Number.isFinite(seconds) && seconds >= 0 ? Math.ceil(seconds) : undefined;
}

function fieldError(entry: unknown): FieldError[] {
  if (typeof entry !== 'object' || entry === null) return [];
  const { pointer, code, detail } = entry as Record<string, unknown>;
  const at = textOf(pointer);
  return [
    {
      ...(at !== undefined && { pointer: at }),
      code: textOf(code) ?? 'invalid',
      detail: textOf(detail) ?? textOf(code) ?? '',
    },
  ];
}
