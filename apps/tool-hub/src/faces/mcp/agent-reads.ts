import { type JsonMembers, type McpRequest, writeObject } from '@legate/mcp-client';
import { Problem } from '@legate/service';
import type { SendAsCaller } from '../../calls/call-tool.ts';
import { fromProblem } from '../../refusals/rpc-error.ts';
import { type AgentTask, enter, sendOptionsOf } from './agent-task.ts';
import type { FindTarget } from './find-target.ts';
import type { Target } from './names.ts';
import { isNotFound, notFound, resourceNotFound, unknown } from './not-found.ts';
import { promptResult, resourceResult } from './results.ts';
import type { ToolServerAnswers } from './tool-server-answers.ts';

/** Answers `prompts/get` and `resources/read`. */
export function createAnswerReads(deps: {
  findTarget: FindTarget;
  send: SendAsCaller;
  answers: ToolServerAnswers;
  timeoutMs: number;
}): { prompt(task: AgentTask): Promise<string>; resource(task: AgentTask): Promise<string> } {
  const { send, answers, timeoutMs } = deps;

  async function forward(
    task: AgentTask,
    target: Target,
    method: McpRequest['method'],
    own: JsonMembers,
    write: typeof promptResult,
  ): Promise<string> {
    const { connector, name } = target;
    enter(task, target);
    // An agent that is bound to single tools may use only those.
    if (connector.binding?.tools) throw notFound(task.request);
    const params = writeObject([...own, ...(answers.inputsOf(task, target) ?? [])]);
    const { agent } = task.request;
    try {
      const request = { method, name, params, agent };
      const served = await send(task.caller, connector, request, sendOptionsOf(task, timeoutMs));
      const { answer } = served;
      if (answer.kind === 'error' && isNotFound(answer, request)) throw notFound(task.request);
      return answers.finish(task, target, served, write);
    } catch (err) {
      task.call?.report({ step: 'failed', error: err });
      throw err instanceof Problem && err.status !== 401 ? fromProblem(err) : err;
    }
  }

  return {
    async prompt(task) {
      const { params, written } = task.request;
      const target = await deps.findTarget(task, 'prompts', params.name).catch((err: unknown) => {
        throw err instanceof Problem && err.status !== 401 ? fromProblem(err) : err;
      });
      if (!target) throw unknown('prompt');
      const own = new Map([['name', JSON.stringify(target.name)]]);
      const args = written.get('arguments');
      if (args !== undefined && args !== 'null') own.set('arguments', args);
      return forward(task, target, 'prompts/get', own, promptResult);
    },
    async resource(task) {
      const { uri } = task.request.params;
      const target = typeof uri === 'string' ? task.endpoint.naming.findByUri(uri) : undefined;
      if (!target) throw resourceNotFound(task.request);
      return forward(
        task,
        target,
        'resources/read',
        new Map([['uri', JSON.stringify(target.name)]]),
        resourceResult,
      );
    },
  };
}
