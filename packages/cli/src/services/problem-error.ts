import { CliError } from '../command-line/cli-error.ts';
import type { Context } from '../command-line/command.ts';
import { EXIT } from '../command-line/exit-codes.ts';
import { addressText } from '../identity/addresses.ts';
import type { Identity } from '../identity/identity.ts';
import { apiCommand } from './api-command.ts';

export interface Asked {
  readonly context: Context;
  readonly identity: Identity;
  readonly agent?: string | undefined;
}

/** Converts a problem (RFC 9457) of a service to the command's error. */
export function problemError(
  status: number,
  problem: unknown,
  { context, identity, agent, service }: Asked & { readonly service: 'hub' | 'api' },
): CliError {
  const {
    code,
    detail,
    title,
    errors,
    connector,
    request_id: requestId,
    retry_after: retryAfter,
  } = Object(problem);
  const faults = Array.isArray(errors) ? errors.map((each: unknown) => fieldText(Object(each))) : [];
  const cause =
    code === NO_ORGANIZATION ? ORGANIZATION_HINT : status === 401 ? refusedAt(identity, service) : '';
  const text = [
    missingAgent(code, agent) ?? detail ?? title ?? `The ${SERVICES[service]} responded with HTTP ${status}.`,
    ...faults,
    cause,
  ]
    .join(' ')
    .trim();
  const [exitCode, help] = kindOf(status, code, context, identity.signIn(service));
  const { id: holder } = Object(connector); // of `resource_already_registered`
  return new CliError({
    exitCode,
    code: typeof code === 'string' ? code : `http_${status}`,
    message: later(text, typeof retryAfter === 'number' ? retryAfter : undefined),
    next:
      agentsCommand(code, { context, identity, agent }) ??
      (typeof holder === 'string' ? `legate connectors get ${holder}` : help),
    members: {
      status,
      ...(typeof requestId === 'string' && { request_id: requestId }),
      ...(Array.isArray(errors) && { errors }),
    },
  });
}

/** Names the agent of the command if the organization does not have it. */
export const missingAgent = (code: unknown, agent: string | undefined): string | undefined =>
  code === 'agent_unknown' && agent !== undefined ? `Your organization has no agent ${agent}.` : undefined;

/** Suggests to list the agents if the agent of the command cannot be used. */
export const agentsCommand = (code: unknown, { context, identity, agent }: Asked): string | undefined =>
  agent !== undefined && (code === 'agent_unknown' || code === 'agent_inactive')
    ? apiCommand(context, identity, 'agents')
    : undefined;

const SERVICES = { hub: 'hub', api: 'management API' } as const;

/** Names the address that refused the token if a variable set it: it may be that of another service. */
export function refusedAt({ addresses }: Identity, service: keyof typeof SERVICES): string {
  const address = addresses[service];
  if (address === undefined || !/^[A-Z_]+$/.test(address.source)) return '';
  return `It was sent to ${addressText(address)} as the ${SERVICES[service]}.`;
}

export const NO_ORGANIZATION = 'organization_id_required';
export const ORGANIZATION_HINT =
  'If the identity provider puts it into another claim, set ORGANIZATION_CLAIM or ORGANIZATION_RULE at the hub.';

function kindOf(status: number, code: unknown, { typed }: Context, signIn: string): [2 | 3 | 4 | 5, string] {
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
export const later = (text: string, seconds: number | undefined): string =>
  seconds === undefined || /Try again (in|when) /.test(text)
    ? text
    : `${text.replace(/ Try again\.$/, '')} Try again in ${seconds} s.`;

const fieldText = (fault: {
  readonly pointer?: unknown;
  readonly parameter?: unknown;
  readonly header?: unknown;
  readonly detail?: unknown;
}) => `${fault.pointer || fault.parameter || fault.header || 'body'}: ${fault.detail ?? ''}`;
