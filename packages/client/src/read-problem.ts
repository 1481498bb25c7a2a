import { type CodeOf, isHubCode, isSignInReason, kindOf, type SignInReason } from './codes.ts';
import type {
  ConnectionRequired,
  Denied,
  Explanation,
  Failure,
  FieldError,
  Hint,
  NotFound,
} from './outcome.ts';
import { isObject, type Json, numberOf, objectsOf, stringOf } from './wire.ts';

/** The hub's response to a request that failed. */
export interface HubProblem {
  readonly status: number;
  /** Members of a problem, or of `legate/problem` in an answer of MCP */
  readonly members: Json;
  readonly callId: string | undefined;
  readonly retryAfterSeconds: number | undefined;
  /** `legate/authorization`: suggestions for resolving the problem */
  readonly authorization: unknown;
  /** Description for people; default: the member `detail` */
  readonly detail?: string | undefined;
}

/** What the recipient of a failure can do. */
export interface Remedies {
  readonly connect: (connectorId: string, requiredScope: string | undefined) => ConnectionRequired['connect'];
  readonly explain: (callId: string | undefined) => Promise<Explanation | Failure>;
}

/** Converts a problem of `/api/v1` to a failure. */
export function problemOf(response: Response, body: unknown): HubProblem {
  const members = isObject(body) ? body : {};
  return {
    status: response.status,
    members,
    callId: response.headers.get('Legate-Call-Id') ?? undefined,
    retryAfterSeconds: secondsOf(response.headers.get('Retry-After')),
    authorization: members.authorization,
  };
}

const secondsOf = (header: string | null): number | undefined =>
  header !== null && /^\d+$/.test(header) ? Number(header) : undefined;

export function toFailure(problem: HubProblem, remedies: Remedies): Failure {
  const { members, callId } = problem;
  const hints = hintsOf(problem.authorization);
  const about = { detail: detailOf(problem), callId, hints };
  const { code } = members;
  if (!isHubCode(code)) return unknownFailure(problem, about, remedies);
  const coded = { ...about, rawCode: undefined };
  switch (kindOf(code)) {
    case 'connection_required':
      return connectionRequired(members, about, remedies);
    case 'sign_in_required':
      return { kind: 'sign_in_required', ...about, ...signInOf(code, members) };
    case 'denied':
      return denied(code as CodeOf<'denied'>, members, coded, remedies);
    case 'not_found':
      return { kind: 'not_found', code: code as CodeOf<'not_found'>, ...coded, errors: errorsOf(members) };
    case 'invalid':
      return { kind: 'invalid', code: code as CodeOf<'invalid'>, ...coded, errors: errorsOf(members) };
    case 'unavailable': {
      const { retryAfterSeconds = numberOf(members.retry_after_seconds) } = problem;
      const cause = undefined;
      return { kind: 'unavailable', code: code as CodeOf<'unavailable'>, ...coded, retryAfterSeconds, cause };
    }
    case 'misconfigured': {
      const explain = () => remedies.explain(callId);
      return { kind: 'misconfigured', code: code as CodeOf<'misconfigured'>, ...coded, explain };
    }
  }
}

/** Names each invalid field, because `detail` of the hub only counts them, and a model gets nothing but this text. */
function detailOf({ detail, members, status }: HubProblem): string {
  const text = detail ?? stringOf(members.detail) ?? stringOf(members.title) ?? `HTTP ${status}`;
  const faults = errorsOf(members).map(
    ({ pointer, parameter, header, detail: fault }) =>
      ` ${pointer || parameter || header || 'body'}: ${fault}`,
  );
  return text + faults.join('');
}

/** Failures that this client detects without the hub */
export const notFound = (code: CodeOf<'not_found'>, detail: string): NotFound => ({
  kind: 'not_found',
  code,
  detail,
  rawCode: undefined,
  callId: undefined,
  hints: [],
  errors: [],
});

interface About {
  readonly detail: string;
  readonly callId: string | undefined;
  readonly hints: readonly Hint[];
}

/**
 * Chooses the failure by the status alone: the response is from a hub newer than this client, or from a proxy in front
 * of the hub.
 */
function unknownFailure(problem: HubProblem, about: About, remedies: Remedies): Failure {
  const { status, members, retryAfterSeconds } = problem;
  const coded = { ...about, rawCode: stringOf(members.code) };
  if (status === 401) return { kind: 'sign_in_required', ...about, ...signInOf(undefined, members) };
  if (status === 403) return denied('unknown', members, coded, remedies);
  if (status === 429 || status >= 500)
    return { kind: 'unavailable', code: 'unknown', ...coded, retryAfterSeconds, cause: undefined };
  return { kind: 'invalid', code: 'unknown', ...coded, errors: errorsOf(members) };
}

function connectionRequired(members: Json, about: About, remedies: Remedies): ConnectionRequired {
  const connectorId = stringOf(members.connector_id) ?? '';
  const connectorName = stringOf(members.connector_name);
  const requiredScope = stringOf(members.required_scope);
  const connect = remedies.connect(connectorId, requiredScope);
  return { kind: 'connection_required', ...about, connectorId, connectorName, requiredScope, connect };
}

function denied(
  code: CodeOf<'denied'>,
  members: Json,
  coded: About & { readonly rawCode: string | undefined },
  remedies: Remedies,
): Denied {
  return {
    kind: 'denied',
    code,
    ...coded,
    who: whoDenied(code, coded.hints),
    requiredScope: stringOf(members.required_scope),
    explain: () => remedies.explain(coded.callId),
  };
}

function whoDenied(code: CodeOf<'denied'>, hints: readonly Hint[]): Denied['who'] {
  const where = hints.find(({ type }) => type === 'legate/administrator')?.where;
  if (where === 'identity_provider' || where === 'tool_server') return where;
  return code === 'tool_forbidden' ? 'tool_server' : 'organization';
}

function signInOf(code: string | undefined, members: Json) {
  return {
    reason: signInReasonOf(code, members.reason),
    maxAge: numberOf(members.max_age),
    acrValues: stringOf(members.acr_values),
    claims: stringOf(members.claims),
    cause: undefined,
  };
}

function signInReasonOf(code: string | undefined, reason: unknown): SignInReason {
  if (isSignInReason(reason)) return reason;
  return REASON_OF_CODE[code ?? ''] ?? 'unknown';
}

/** Reasons implied by a code if the hub gives no reason */
const REASON_OF_CODE: Readonly<Record<string, SignInReason>> = {
  sign_in_required: 'new_sign_in_wanted',
  organization_id_required: 'no_organization',
  token_expired: 'expired',
  session_ended: 'session_ended',
};

function hintsOf(authorization: unknown): readonly Hint[] {
  if (!isObject(authorization)) return [];
  return objectsOf(authorization.remediationHints).flatMap((hint) =>
    typeof hint.type === 'string' ? [{ ...hint, type: hint.type }] : [],
  );
}

const errorsOf = ({ errors }: Json): readonly FieldError[] =>
  objectsOf(errors).map((error) => ({
    ...error,
    code: stringOf(error.code) ?? 'unknown',
    detail: stringOf(error.detail) ?? '',
  }));
