import { INVALID_PARAMS, isObject, METHOD_NOT_FOUND } from '@legate/mcp-client';
import { Problem } from '@legate/service';
import type { SendAsCaller } from '../../calls/call-tool.ts';
import { fromProblem, RpcError } from '../../refusals/rpc-error.ts';
import { type AgentTask, enter, sendOptionsOf } from './agent-task.ts';
import type { FindTarget } from './find-target.ts';
import type { Target } from './names.ts';
import { methodNotFound } from './not-found.ts';
import { deliver } from './results.ts';
import type { ToolServerAnswers } from './tool-server-answers.ts';

/**
 * Answers `completion/complete`: the tool server suggests values for an argument of a prompt, or of a resource template.
 * @see MCP, "Completion"
 */
export function createAnswerCompletion(deps: {
  findTarget: FindTarget;
  send: SendAsCaller;
  answers: ToolServerAnswers;
  timeoutMs: number;
}): (task: AgentTask) => Promise<string> {
  const { findTarget, send, answers, timeoutMs } = deps;

  async function find(task: AgentTask, ref: unknown): Promise<{ target: Target; ownRef: object }> {
    if (isObject(ref) && ref.type === 'ref/prompt') {
      const target = await findTarget(task, 'prompts', ref.name);
      if (target) return { target, ownRef: { ...ref, name: target.name } };
    }
    if (isObject(ref) && ref.type === 'ref/resource' && typeof ref.uri === 'string') {
      const target = task.endpoint.naming.findByUri(ref.uri);
      if (target) return { target, ownRef: { ...ref, uri: target.name } };
    }
    throw unknownRef();
  }

  return async (task) => {
    const { params, agent } = task.request;
    const { ref, argument, context } = params;
    try {
      const { target, ownRef } = await find(task, ref);
      enter(task, target);
      // An agent bound to single tools may use nothing else.
      if (target.connector.binding?.tools) throw unknownRef();
      const own = { ref: ownRef, argument, ...(context !== undefined && { context }) };
      const request = { method: 'completion/complete', params: own, agent } as const;
      const served = await send(task.caller, target.connector, request, sendOptionsOf(task, timeoutMs));
      if (served.answer.kind === 'error' && served.answer.code === METHOD_NOT_FOUND)
        throw methodNotFound(task.request.era);
      return answers.finish(task, target, served, deliver);
    } catch (err) {
      throw err instanceof Problem && err.status !== 401 ? fromProblem(err) : err;
    }
  };
}

const unknownRef = (): RpcError =>
  new RpcError(INVALID_PARAMS, 'Invalid params: ref is no prompt and no resource template');
