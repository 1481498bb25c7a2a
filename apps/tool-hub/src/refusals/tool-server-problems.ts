import type { Problem } from '@legate/service';
import type { Connector } from '../domain/connector.ts';
import type { Decided } from '../domain/decision.ts';
import type { Served } from '../domain/served.ts';
import { CallRefused } from './call-refused.ts';
import { toolServerUnavailable } from './delegation-problems.ts';

const TOOL_FORBIDDEN: Decided = { leg: 'tool_server', rule: 'forbidden' };
export const ARGUMENTS_REFUSED: Decided = { leg: 'tool_server', rule: 'arguments_refused' };

/** The only place where a tool server's failure becomes an answer of ours. */
export function toProblem(
  answer: Exclude<Served['answer'], { kind: 'result' }>,
  connector: Connector,
): Problem {
  // What is too large there need not be too large here; either way the caller is at fault, and not the tool server.
  if ('status' in answer && answer.status === 413) return argumentsTooLarge(connector);
  switch (answer.kind) {
    case 'forbidden':
      return new CallRefused(TOOL_FORBIDDEN, 403, 'tool_forbidden', 'Tool forbidden', {
        detail: 'The tool server does not allow this user to do this.',
        extensions: { connector_id: connector.id },
      });
    case 'unavailable':
      return toolServerUnavailable(answer.reason, connector, answer);
    case 'unusable':
      return toolServerError(answer.reason, connector);
    case 'input_required':
      return toolServerError('the tool asks for input, which cannot be given here', connector, {
        leg: 'tool_server',
        rule: 'input_required',
      });
    case 'rejected':
      return toolServerError(`it refused the request with status ${answer.status}`, connector);
    case 'error':
      return toolServerError(`it answered with error ${answer.code}`, connector, {
        leg: 'tool_server',
        rule: 'tool_failed',
        reason: `error ${answer.code}`,
      });
  }
}

/** @param reason in our own words: what the tool server says could hold anything */
export const toolServerError = (
  reason: string,
  connector: Connector,
  decided: Decided = { leg: 'tool_server', rule: 'answer_unusable', reason },
): Problem =>
  new CallRefused(decided, 502, 'tool_server_error', 'Tool server error', {
    detail: `The tool server of connector "${connector.id}" did not do what it was asked for: ${reason}.`,
    extensions: { connector_id: connector.id },
  });

/** @param decided whether the agent may not use it, or the tool server does not have it */
export const toolNotFound = (
  name: string,
  connector: Connector,
  decided: Decided = { leg: 'tool_server', rule: 'tool_unknown' },
): Problem =>
  new CallRefused(decided, 404, 'tool_not_found', 'Tool not found', {
    detail: `Connector "${connector.id}" has no tool "${name}".`,
  });

const argumentsTooLarge = (connector: Connector): Problem =>
  new CallRefused(ARGUMENTS_REFUSED, 413, 'payload_too_large', 'Payload too large', {
    detail: `The tool server of connector "${connector.id}" does not take arguments of this size.`,
    extensions: { connector_id: connector.id },
  });
