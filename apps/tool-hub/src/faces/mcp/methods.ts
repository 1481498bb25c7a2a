import { type KnownParamHeaders, METHOD_NOT_FOUND } from '@legate/mcp-client';
import type { CallTool, SendAsCaller } from '../../calls/call-tool.ts';
import { RpcError } from '../../refusals/rpc-error.ts';
import { createAnswerReads } from './agent-reads.ts';
import type { AgentTask } from './agent-task.ts';
import { createAnswerToolCall } from './agent-tool-call.ts';
import type { AgentList } from './lists.ts';
import { findMethod } from './mcp-methods.ts';
import type { RequestStates } from './request-state.ts';
import { discovery, initialization } from './server-info.ts';
import { createToolServerAnswers } from './tool-server-answers.ts';

/**
 * @returns the text of the JSON-RPC result
 * @throws {RpcError} what the protocol has an error for
 * @throws {Problem} what the HTTP answer as a whole must say: 401, when the user has to sign in again
 */
export type AnswerAgent = (task: AgentTask) => Promise<string>;

/** @param deps.timeoutMs for one request, whatever number of requests it takes */
export function createAnswerAgent(deps: {
  list: AgentList;
  callTool: CallTool;
  send: SendAsCaller;
  known: KnownParamHeaders;
  states: RequestStates;
  timeoutMs: number;
}): AnswerAgent {
  const { list, callTool, send, known, timeoutMs } = deps;
  const answers = createToolServerAnswers(deps.states);
  const answerToolCall = createAnswerToolCall({ callTool, known, answers, timeoutMs });
  const reads = createAnswerReads({ send, answers, timeoutMs });

  return async (task) => {
    const { caller, endpoint, request, presence } = task;
    const { method, era, params } = request;
    const { list: kind, era: onlyEra = era } = findMethod(method) ?? {};
    if (kind) {
      const { extensions } = request.agent;
      return list({ caller, endpoint, kind, cursor: params.cursor, era, extensions, presence });
    }
    if (era === onlyEra) {
      if (method === 'tools/call') return answerToolCall(task);
      if (method === 'prompts/get') return reads.prompt(task);
      if (method === 'resources/read') return reads.resource(task);
      if (method === 'server/discover') return discovery();
      if (method === 'initialize') return initialization(params.protocolVersion);
      if (method === 'ping') return '{}';
    }
    throw new RpcError(METHOD_NOT_FOUND, 'Method not found', { status: era === 'modern' ? 404 : 200 });
  };
}
