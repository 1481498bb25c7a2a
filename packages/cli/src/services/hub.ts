import type { Denied, Failure, Legate, SignInRequired } from '@legate/client';
import { CliError } from '../command-line/cli-error.ts';
import { type Context, text } from '../command-line/command.ts';
import { EXIT } from '../command-line/exit-codes.ts';
import { serviceUrl, withoutSlash } from '../identity/addresses.ts';
import { findIdentity, IDENTITY_OPTIONS, type Identity } from '../identity/identity.ts';
import { unreachable } from '../identity/unreachable.ts';
import {
  type Asked,
  agentsCommand,
  later,
  missingAgent,
  NO_ORGANIZATION,
  ORGANIZATION_HINT,
  problemError,
  refusedAt,
} from './problem-error.ts';

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
    throw await failureError(failure, { context, identity, hub, connectorId, agent: options.agent });
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
      throw problemError(response.status, answer, {
        context,
        identity,
        agent: options.agent,
        service: 'hub',
      });
    },
  };
}

interface AskedHub extends Asked {
  readonly hub: string;
  readonly connectorId: string | undefined;
}

/** Converts a failure of the hub to the command's error. */
async function failureError(failure: Failure, asked: AskedHub): Promise<CliError> {
  const { context, identity, hub, connectorId, agent } = asked;
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
        message: missingAgent(failure.code, agent) ?? `${detail} Decided by ${WHO[failure.who]}.`,
        next:
          explain ??
          agentsCommand(failure.code, { context, identity, agent }) ??
          nextAfterDenial(failure, connectorId),
        members: { ...members, who: failure.who },
      });
    case 'not_found':
    case 'invalid':
      return new CliError({
        exitCode: EXIT.usage,
        code: failure.rawCode ?? failure.code,
        message: detail,
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
  identity: Identity,
  members: Readonly<Record<string, unknown>>,
): CliError {
  const lacksOrganization = reason === 'no_organization';
  return new CliError({
    exitCode: EXIT.signIn,
    code: lacksOrganization ? NO_ORGANIZATION : 'sign_in_required',
    message: [detail, lacksOrganization ? ORGANIZATION_HINT : refusedAt(identity, 'hub')].join(' ').trim(),
    next: lacksOrganization ? 'legate whoami' : identity.signIn('hub'),
    members: { ...members, reason },
  });
}

/** Suggests what helps after a denial that has no event in the audit trail. */
function nextAfterDenial({ who, detail }: Denied, connectorId: string | undefined): string {
  // A doctor that an administrator runs tries the delegation as the administrator, not as this user.
  if (/ does not allow this user /.test(detail) && who === 'identity_provider')
    return 'ask an administrator of the identity provider to allow it';
  if (who === 'organization' || connectorId === undefined) return 'legate whoami';
  return `legate doctor --connector ${connectorId}`;
}

const WHO = {
  identity_provider: 'the identity provider',
  organization: 'an administrator of the organization',
  tool_server: 'the tool server',
} as const;
