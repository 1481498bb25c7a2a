import type { KnownParamHeaders } from '@legate/mcp-client';
import type { CallTool, SendAsCaller } from '../../calls/call-tool.ts';
import { createAnswerCompletion } from './agent-completion.ts';
import { createAnswerReads } from './agent-reads.ts';
import { createAnswerToolCall } from './agent-tool-call.ts';
import { createFindTarget } from './find-target.ts';
import type { AgentLists } from './lists.ts';
import { type Answer, type Answers, findMethod } from './mcp-methods.ts';
import { methodNotFound } from './not-found.ts';
import type { RequestStates } from './request-state.ts';
import { createToolServerAnswers } from './tool-server-answers.ts';

/**
 * Answers a request of an agent.
 * @returns the text of the JSON-RPC result
 * @throws {RpcError} errors that the protocol has a code for
 * @throws {Problem} errors that determine the HTTP response as a whole, such as 401 when the user has to sign in again
 */
export type AnswerAgent = Answer;

/** @param deps.timeoutMs for one request of an agent, including all upstream requests */
export function createAnswerAgent(deps: {
  lists: AgentLists;
  present: Answers['present'];
  callTool: CallTool;
  send: SendAsCaller;
  known: KnownParamHeaders;
  states: RequestStates;
  /** Answers `subscriptions/listen` */
  answerListen: Answer;
  publicUrl: string;
  timeoutMs: number;
}): AnswerAgent {
  const { lists, present, callTool, send, known, publicUrl, timeoutMs } = deps;
  const findTarget = createFindTarget({ lists });
  const answers = createToolServerAnswers(deps.states);
  const reads = createAnswerReads({ findTarget, send, answers, timeoutMs });
  const parts: Answers = {
    lists,
    toolCall: createAnswerToolCall({ findTarget, callTool, known, answers, publicUrl, timeoutMs }),
    prompt: reads.prompt,
    resource: reads.resource,
    completion: createAnswerCompletion({ findTarget, send, answers, timeoutMs }),
    listen: deps.answerListen,
    present,
  };

  return async (task) => {
    const { method, era } = task.request;
    const found = findMethod(method);
    if (!found || (found.era ?? era) !== era) throw methodNotFound(era);
    return found.answer(parts, task);
  };
}
