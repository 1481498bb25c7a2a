import type { KnownParamHeaders } from '@legate/mcp-client';
import type { CallTool, SendAsCaller } from '../../calls/call-tool.ts';
import { createAnswerCompletion } from './agent-completion.ts';
import { createAnswerReads } from './agent-reads.ts';
import type { AgentTask } from './agent-task.ts';
import { createAnswerToolCall } from './agent-tool-call.ts';
import { createFindTarget } from './find-target.ts';
import type { AgentLists } from './lists.ts';
import { findMethod } from './mcp-methods.ts';
import { methodNotFound } from './not-found.ts';
import type { RequestStates } from './request-state.ts';
import { discovery, initialization, type Presentation } from './server-info.ts';
import { createToolServerAnswers } from './tool-server-answers.ts';

/**
 * @returns the text of the JSON-RPC result
 * @throws {RpcError} what the protocol has an error for
 * @throws {Problem} what the HTTP answer as a whole must say: 401, when the user has to sign in again
 */
export type AnswerAgent = (task: AgentTask) => Promise<string>;

/** @param deps.timeoutMs for one request, whatever number of requests it takes */
export function createAnswerAgent(deps: {
  lists: AgentLists;
  /** How the address of a request presents itself */
  present: (task: AgentTask) => Promise<Presentation>;
  /** Counts the forms in which agents name things. */
  callTool: CallTool;
  send: SendAsCaller;
  known: KnownParamHeaders;
  states: RequestStates;
  /** Answers `subscriptions/listen`. */
  answerListen: (task: AgentTask) => Promise<string>;
  publicUrl: string;
  timeoutMs: number;
}): AnswerAgent {
  const { lists, present, callTool, send, known, publicUrl, timeoutMs } = deps;
  const findTarget = createFindTarget({ lists });
  const answers = createToolServerAnswers(deps.states);
  const answerToolCall = createAnswerToolCall({ findTarget, callTool, known, answers, publicUrl, timeoutMs });
  const reads = createAnswerReads({ findTarget, send, answers, timeoutMs });
  const answerCompletion = createAnswerCompletion({ findTarget, send, answers, timeoutMs });

  return async (task) => {
    const { caller, endpoint, request, presence } = task;
    const { method, era, params } = request;
    const { list: kind, era: onlyEra = era } = findMethod(method) ?? {};
    if (kind) {
      const { extensions } = request.agent;
      return lists.write({ caller, endpoint, kind, cursor: params.cursor, era, extensions, presence });
    }
    if (era === onlyEra) {
      if (method === 'tools/call') return answerToolCall(task);
      if (method === 'prompts/get') return reads.prompt(task);
      if (method === 'resources/read') return reads.resource(task);
      if (method === 'completion/complete') return answerCompletion(task);
      if (method === 'subscriptions/listen') return deps.answerListen(task);
      if (method === 'server/discover') return discovery(await present(task));
      if (method === 'initialize') return initialization(params.protocolVersion, await present(task));
      if (method === 'ping') return '{}';
    }
    throw methodNotFound(era);
  };
}
