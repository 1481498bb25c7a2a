import type { Failure, Legate, SignInRequired } from '@legate/client';
import { CliError } from '../command-line/cli-error.ts';
import { type Context, text } from '../command-line/command.ts';
import { EXIT } from '../command-line/exit-codes.ts';
import { serviceUrl, withoutSlash } from '../identity/addresses.ts';
import { findIdentity, IDENTITY_OPTIONS, type Identity } from '../identity/identity.ts';
import { unreachable } from '../identity/unreachable.ts';

/** Options of commands that call the hub */
export const HUB_OPTIONS = {
  ...IDENTITY_OPTIONS,
  agent: text('id', 'act through this agent, with its bindings and approvals'),
};

export interface HubOptions {
  readonly profile: string | undefined;
  readonly user: string | undefined;
  readonly agent: string | undefined;
}

export interface Hub {
  readonly legate: Legate;
  readonly identity: Identity;
  /** Throws the command's error for a failure. @param connectorId connector at which the call failed, if any */
  readonly fail: (failure: Failure, connectorId?: string) => Promise<never>;
  /** Sends a request to a path for which the client library has no function. @throws {CliError} */
  readonly request: (path: string, method: 'GET' | 'POST' | 'DELETE', body?: unknown) => Promise<unknown>;
}

/** Creates a client of the hub for the user. @throws {CliError} without a sign-in */
export async function openHub(context: Context, options: HubOptions): Promise<Hub> {
  const { io } = context;
  const identity = await findIdentity(context, options);
  const hub = withoutSlash(serviceUrl('The hub', identity.hub().url));
  // The error that prevented a token is shown unchanged, not in the form that the client library gives it.
  let noToken: unknown;
  // Imported only here, so that the help does not wait for them.
  const [{ createClient }, { hubFetch }] = await Promise.all([
    import('@legate/client'),
    import('@legate/client/mcp'),
  ]);
  const legate = createClient({
    hub,
    fetch: io.fetch,
    ...(options.agent !== undefined && { agentId: options.agent }),
    idToken: () =>
      identity.idToken().catch((cause: unknown) => {
        noToken = cause;
        throw cause;
      }),
  });
  const fetchAsUser = hubFetch(legate);
  const fail: Hub['fail'] = async (failure, connectorId) => {
    if (noToken) throw noToken;
    throw await failureError(failure, { context, identity, hub, connectorId });
  };
  return {
    legate,
    identity,
    fail,
    async request(path, method, body) {
      const response = await fetchAsUser(`${hub}${path}`, {
        method,
        signal: io.signal,
        headers: { Accept: 'application/json', 'Content-Type': 'application/json' },
        ...(body !== undefined && { body: JSON.stringify(body) }),
      }).catch((cause: unknown) => {
        io.signal.throwIfAborted();
        throw unreachable(context, 'hub', identity.hub(), { issuer: identity.issuer, cause });
      });
      if (noToken) throw noToken;
      const answer: unknown = await response.json().catch(() => undefined);
      if (response.ok) return answer;
      throw problemError(response.status, answer, { context, identity, service: 'hub' });
    },
  };
}

interface Asked {
  readonly context: Context;
  readonly identity: Identity;
}

/** Converts a failure of the hub to the command's error. */
async function failureError(
  failure: Failure,
  asked: Asked & { readonly hub: string; readonly connectorId: string | undefined },
): Promise<CliError> {
  const { context, identity, hub, connectorId } = asked;
  const { detail, callId } = failure;
  const explain = callId === undefined ? undefined : `legate explain ${callId}`;
  const examine = connectorId === undefined ? undefined : `legate doctor --connector ${connectorId}`;
  const members = { kind: failure.kind, ...(callId !== undefined && { call_id: callId }) };
  switch (failure.kind) {
    case 'connection_required': {
      const link = await failure.connect({ signal: context.io.signal });
      const url = link.kind === 'link' ? link.authorizeUrl : `${hub}/connect/${failure.connectorId}`;
      return new CliError({
        exitCode: EXIT.signIn,
        code: 'connection_required',
        message: `${detail} Connect your account in your browser: ${url}`,
        next: context.typed,
        members: { ...members, connector_id: failure.connectorId, authorize_url: url },
      });
    }
    case 'sign_in_required':
      return signInError(failure, identity, members);
    case 'denied':
      return new CliError({
        exitCode: EXIT.denied,
        code: failure.rawCode ?? failure.code,
        message: `${detail} Decided by ${WHO[failure.who]}.`,
        next: explain ?? (failure.who === 'organization' ? undefined : examine) ?? 'legate whoami',
        members: { ...members, who: failure.who },
      });
    case 'not_found':
    case 'invalid':
      return new CliError({
        exitCode: EXIT.usage,
        code: failure.rawCode ?? failure.code,
        message: [detail, ...failure.errors.map(fieldText)].join(' '),
        next: failure.code === 'call_not_found' ? 'legate audit tail' : 'legate tools',
        members: { ...members, errors: failure.errors },
      });
    case 'unavailable':
      return failure.code === 'network'
        ? unreachable(context, 'hub', identity.hub(), { issuer: identity.issuer, cause: failure.cause })
        : new CliError({
            exitCode: EXIT.unavailable,
            code: failure.rawCode ?? failure.code,
            message: later(detail, failure.retryAfterSeconds),
            next: context.typed,
            members: { ...members, retry_after: failure.retryAfterSeconds ?? null },
          });
    case 'misconfigured':
      return new CliError({
        exitCode: EXIT.fault,
        code: failure.rawCode ?? failure.code,
        message: detail,
        next: examine ?? explain ?? 'legate connectors list',
        members,
      });
  }
}

/**
 * Suggests another sign-in, unless its token would again contain no organization: then suggests `legate whoami`.
 */
function signInError(
  { reason, detail }: SignInRequired,
  { signIn }: Identity,
  members: Readonly<Record<string, unknown>>,
): CliError {
  const lacksOrganization = reason === 'no_organization';
  return new CliError({
    exitCode: EXIT.signIn,
    code: lacksOrganization ? NO_ORGANIZATION : 'sign_in_required',
    message: lacksOrganization ? `${detail} ${ORGANIZATION_HINT}` : detail,
    next: lacksOrganization ? 'legate whoami' : signIn,
    members: { ...members, reason },
  });
}

const WHO = {
  identity_provider: 'the identity provider',
  organization: 'an administrator of the organization',
  tool_server: 'the tool server',
} as const;

/** Converts a problem (RFC 9457) of a service to the command's error. */
export function problemError(
  status: number,
  problem: unknown,
  { context, identity, service }: Asked & { readonly service: string },
): CliError {
  const { code, detail, title, errors, request_id: requestId, retry_after: retryAfter } = Object(problem);
  const faults = Array.isArray(errors) ? errors.map((each: unknown) => fieldText(Object(each))) : [];
  const cause = code === NO_ORGANIZATION ? [ORGANIZATION_HINT] : [];
  const text = [detail ?? title ?? `The ${service} responded with HTTP ${status}.`, ...faults, ...cause].join(
    ' ',
  );
  const [exitCode, next] = kindOf(status, code, context, identity);
  return new CliError({
    exitCode,
    code: typeof code === 'string' ? code : `http_${status}`,
    message: later(text, typeof retryAfter === 'number' ? retryAfter : undefined),
    next,
    members: {
      status,
      ...(typeof requestId === 'string' && { request_id: requestId }),
      ...(Array.isArray(errors) && { errors }),
    },
  });
}

const NO_ORGANIZATION = 'organization_id_required';
const ORGANIZATION_HINT =
  'If the identity provider puts it into another claim, set ORGANIZATION_CLAIM at the hub.';

function kindOf(
  status: number,
  code: unknown,
  { typed }: Context,
  { signIn }: Identity,
): [2 | 3 | 4 | 5, string] {
  // Another sign-in would yield the same token, so the user should look at its claims first.
  if (code === NO_ORGANIZATION) return [EXIT.signIn, 'legate whoami'];
  if (status === 401) return [EXIT.signIn, signIn];
  if (code === 'insufficient_scope') return [EXIT.denied, signIn]; // only another token has more
  if (status === 403) return [EXIT.denied, 'legate whoami'];
  if (status === 404 && /^legate (connectors|doctor) /.test(typed))
    return [EXIT.usage, 'legate connectors list'];
  if (status === 429 || status >= 500 || code === 'examination_running') return [EXIT.unavailable, typed];
  const [command = ''] = /^legate (\S+ (?:get|add|remove|list|tail)|\S+)/.exec(typed) ?? [];
  return [EXIT.usage, `${command} --help`];
}

/** Adds when to try again, unless the text says it. */
const later = (text: string, seconds: number | undefined): string =>
  seconds === undefined || /Try again (in|when) /.test(text)
    ? text
    : `${text.replace(/ Try again\.$/, '')} Try again in ${seconds} s.`;

const fieldText = (fault: {
  readonly pointer?: unknown;
  readonly parameter?: unknown;
  readonly detail?: unknown;
}) => `${fault.pointer ?? fault.parameter ?? ''}: ${fault.detail ?? ''}`;
