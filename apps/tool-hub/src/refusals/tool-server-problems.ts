import { shownUrl } from '@legate/oauth';
import type { Problem } from '@legate/service';
import type { Connector } from '../domain/connector.ts';
import { type Decided, rowOf } from '../domain/decision.ts';
import type { Served } from '../domain/served.ts';
import { CallRefused } from './call-refused.ts';
import { toolServerUnavailable } from './delegation-problems.ts';

const MAX_DETAIL_LENGTH = 500;
export const ARGUMENTS_REFUSED: Decided = { leg: 'tool_server', rule: 'arguments_refused' };

/** Turns a tool server's failure into a problem; no other code does. */
export function toolServerProblem(
  answer: Exclude<Served['answer'], { kind: 'result' }>,
  connector: Connector,
): Problem {
  // The tool server's limit may be lower than ours; in both cases the caller is at fault, not the tool server.
  if ('status' in answer && answer.status === 413) return argumentsTooLarge(connector);
  switch (answer.kind) {
    case 'forbidden':
      return toolForbidden(answer.body, connector);
    case 'unavailable':
      return toolServerUnavailable(answer.reason, connector, answer);
    case 'unusable':
      return toolServerError(answer.reason, connector);
    case 'input_required':
      return toolServerError('the tool asks for input, which this endpoint does not support', connector, {
        leg: 'tool_server',
        rule: 'input_required',
      });
    case 'rejected':
      return toolServerError(refusedAt(answer, connector.mcpUrl), connector);
    case 'error':
      return toolServerError(`it returned error ${answer.code}`, connector, {
        leg: 'tool_server',
        rule: 'tool_failed',
        reason: `error ${answer.code}`,
      });
  }
}

function toolForbidden(body: string | undefined, connector: Connector): Problem {
  const reason = `status 403${body === undefined ? '' : ` and ${body}`}`;
  return new CallRefused({ leg: 'tool_server', rule: 'forbidden', reason }, 'tool_forbidden', {
    detail: `The tool server responded with ${reason}: it does not allow this.`,
    extensions: { connector_id: connector.id },
  });
}

/**
 * Returns where a tool server refused. A server with such a response may be the wrong one, or its MCP endpoint may have
 * another URL.
 */
function refusedAt({ status, body }: { status: number; body?: string }, mcpUrl: string): string {
  const refused = `it refused the request to ${shownUrl(mcpUrl)} with status ${status}${body === undefined ? '' : ` and ${body}`}`;
  return NO_ENDPOINT.includes(status)
    ? `${refused}: there may be no MCP endpoint at this address, the mcp_url of the connector`
    : refused;
}

const NO_ENDPOINT = [404, 405, 410];

/** @param reason in our own words, because the tool server's text could contain anything */
export const toolServerError = (
  reason: string,
  connector: Connector,
  decided: Decided = { leg: 'tool_server', rule: 'answer_unusable', reason },
): Problem =>
  new CallRefused(decided, 'tool_server_error', {
    detail: `The tool server of connector "${connector.id}" returned an error or an unusable response: ${reason}. ${rowOf(decided).remedy}`,
    extensions: { connector_id: connector.id },
  });

/** @param decided the reason: the agent may not use the tool, or the tool server does not have it */
export const toolNotFound = (
  name: string,
  connector: Connector,
  decided: Decided = { leg: 'tool_server', rule: 'tool_unknown' },
): Problem =>
  new CallRefused(decided, 'tool_not_found', {
    detail: `Connector "${connector.id}" has no tool "${name}".`,
  });

const argumentsTooLarge = (connector: Connector): Problem =>
  new CallRefused(ARGUMENTS_REFUSED, 'payload_too_large', {
    detail: `The tool server of connector "${connector.id}" does not accept arguments of this size.`,
    extensions: { connector_id: connector.id },
  });

/**
 * @param message message of the tool server, because the author of the arguments needs to know what is wrong with them
 */
export const argumentsRefused = (message: string): Problem =>
  new CallRefused(ARGUMENTS_REFUSED, 'invalid_arguments', {
    detail: 'The tool server does not accept these arguments.',
    errors:
      message === ''
        ? []
        : [{ pointer: '/arguments', code: 'invalid_format', detail: message.slice(0, MAX_DETAIL_LENGTH) }],
  });

export const agentCapabilityMissing = (decided: Decided, detail: string, connector: Connector): Problem =>
  new CallRefused(decided, 'agent_capability_missing', {
    detail,
    extensions: { connector_id: connector.id },
  });
