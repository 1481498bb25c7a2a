import { membersOf, writeObject } from '@legate/mcp-client';
import type { Problem } from '@legate/service';
import { CALL_ID_KEY } from '../../domain/call-id.ts';
import { fromProblem, RpcError } from '../../refusals/rpc-error.ts';
import type { AgentTask } from './agent-task.ts';

/** Name of our question among the input requests of a tool call */
const QUESTION = 'legate/connect';
/** Error code (MCP 2025-11-25, Elicitation, "URL Elicitation Required Error") */
const URL_ELICITATION_REQUIRED = -32042;

/**
 * Asks the user of an agent to connect their account, if the agent can show a URL and the user was not asked before.
 * @returns the result of a tool call that asks; undefined if the call is to be refused as usual
 * @throws {RpcError} with the question, to an agent of 2025-11-25
 * @see MCP 2026-07-28, "Multi round-trip requests"
 */
export function askToConnect(
  problem: Problem,
  { request, call }: AgentTask,
  publicUrl: string,
): string | undefined {
  const { connect_page: page } = problem.extensions;
  if (page === undefined || !request.canElicitUrl) return undefined;
  const url = `${publicUrl}${page}`;
  const message = 'Connect your account at the tool server. The call then continues.';
  if (request.era === 'legacy') {
    const { code, message: text, data, cause } = fromProblem(problem);
    const elicitationId = call?.id ?? String(code);
    throw new RpcError(URL_ELICITATION_REQUIRED, text, {
      data: { ...data, elicitations: [{ mode: 'url', elicitationId, url, message }] },
      cause,
    });
  }
  const { inputResponses, requestState } = request.params;
  if ((inputResponses ?? requestState ?? undefined) !== undefined) return undefined;
  return JSON.stringify({
    resultType: 'input_required',
    inputRequests: { [QUESTION]: { method: 'elicitation/create', params: { mode: 'url', url, message } } },
    ...(call && { _meta: { [CALL_ID_KEY]: call.id } }),
  });
}

/**
 * Returns the responses to the tool server's own questions, as they were written; undefined if there are none.
 * @param inputResponses JSON text
 */
export function withoutOurQuestion(inputResponses: string | undefined): string | undefined {
  const members = inputResponses?.startsWith('{') ? membersOf(inputResponses) : undefined;
  if (!members?.delete(QUESTION)) return inputResponses;
  return members.size === 0 ? undefined : writeObject(members);
}
