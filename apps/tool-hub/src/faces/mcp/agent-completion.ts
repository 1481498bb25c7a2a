import { INVALID_PARAMS, isObject, METHOD_NOT_FOUND, membersOf, writeObject } from '@legate/mcp-client';
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
 * Answers `completion/complete`: the tool server suggests values for an argument of a prompt or of a resource template.
 * @see MCP, "Completion"
 */
export function createAnswerCompletion(deps: {
  findTarget: FindTarget;
  send: SendAsCaller;
  answers: ToolServerAnswers;
  timeoutMs: number;
}): (task: AgentTask) => Promise<string> {
  const { findTarget, send, answers, timeoutMs } = deps;

  async function find(task: AgentTask, ref: unknown): Promise<{ target: Target; namedBy: 'name' | 'uri' }> {
    if (isObject(ref) && ref.type === 'ref/prompt') {
      const target = await findTarget(task, 'prompts', ref.name);
      if (target) return { target, namedBy: 'name' };
    }
    if (isObject(ref) && ref.type === 'ref/resource' && typeof ref.uri === 'string') {
      const target = task.endpoint.naming.findByUri(ref.uri);
      if (target) return { target, namedBy: 'uri' };
    }
    throw unknownRef();
  }

  return async (task) => {
    const { params, written, agent } = task.request;
    try {
      const { target, namedBy } = await find(task, params.ref);
      enter(task, target);
      // An agent that is bound to single tools may use only those.
      if (target.connector.binding?.tools) throw unknownRef();
      const ref = membersOf(written.get('ref') ?? '').set(namedBy, JSON.stringify(target.name));
      const own = new Map([['ref', writeObject(ref)]]);
      for (const name of ['argument', 'context']) {
        const json = written.get(name);
        if (json !== undefined && json !== 'null') own.set(name, json);
      }
      const request = { method: 'completion/complete', params: writeObject(own), agent } as const;
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
  new RpcError(INVALID_PARAMS, 'Invalid params: ref must be a prompt or a resource template');
