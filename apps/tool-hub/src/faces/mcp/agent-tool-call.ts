import {
  INVALID_PARAMS,
  isObject,
  type JsonObject,
  type KnownParamHeaders,
  METHOD_NOT_FOUND,
  type ParamHeader,
  paramValuesOf,
} from '@legate/mcp-client';
import { Problem } from '@legate/service';
import type { CallTool } from '../../calls/call-tool.ts';
import { RpcError } from '../../refusals/rpc-error.ts';
import { toolNotFound } from '../../refusals/tool-server-problems.ts';
import type { AgentRequest } from './agent-request.ts';
import { type AgentTask, enter, sendOptionsOf } from './agent-task.ts';
import { askToConnect } from './connect-question.ts';
import { denialMeta, deniedRequest } from './denials.ts';
import type { FindTarget } from './find-target.ts';
import { headerMismatch } from './message.ts';
import { unknown } from './not-found.ts';
import { failedToolCall, toolResult } from './results.ts';
import type { ToolServerAnswers } from './tool-server-answers.ts';

/** Answers `tools/call`. If a tool cannot be called, the result explains why, for the agent's model to read. */
export function createAnswerToolCall(deps: {
  findTarget: FindTarget;
  callTool: CallTool;
  known: KnownParamHeaders;
  answers: ToolServerAnswers;
  publicUrl: string;
  timeoutMs: number;
}): (task: AgentTask) => Promise<string> {
  const { findTarget, callTool, known, answers, publicUrl, timeoutMs } = deps;

  /** @throws errors that apply to the response as a whole, or that have a code in the protocol */
  function refuse(task: AgentTask, err: unknown): string {
    const { request, call } = task;
    call?.report({ step: 'failed', error: err });
    if (!(err instanceof Problem) || err.status === 401) throw err;
    if (err.code === 'tool_not_found') throw unknown('tool', err);
    const question = askToConnect(err, task, publicUrl);
    if (question !== undefined) return question;
    const denial = denialMeta(err, deniedRequest(task, publicUrl), request);
    return failedToolCall(err, request.era, call?.id, denial);
  }

  return async (task) => {
    const { caller, request } = task;
    const { name } = request.params;
    const target = await findTarget(task, 'tools', name).catch((err: unknown) => refuse(task, err));
    if (typeof target === 'string') return target;
    if (!target) {
      task.call?.report({ step: 'refused', decided: { leg: 'registry', rule: 'tool_unknown' } });
      throw unknown('tool');
    }
    enter(task, target);
    const args = argumentsOf(request);
    const { connector } = target;
    checkParamHeaders(request, args.value, known.find(connector, target.name));
    const further = answers.inputsOf(task, target);
    try {
      const call = { name: target.name, arguments: args, further, agent: request.agent };
      const served = await callTool(caller, connector, call, sendOptionsOf(task, timeoutMs));
      const { answer } = served;
      if (answer.kind === 'error' && answer.code === METHOD_NOT_FOUND)
        throw toolNotFound(target.name, connector);
      return answers.finish(task, target, served, toolResult);
    } catch (err) {
      return refuse(task, err);
    }
  };
}

/** @throws {RpcError} -32602 */
function argumentsOf({ params, written }: AgentRequest): JsonObject {
  const value = params.arguments ?? {};
  if (!isObject(value)) throw new RpcError(INVALID_PARAMS, 'Invalid params: arguments must be an object');
  return { value, json: isObject(params.arguments) ? (written.get('arguments') ?? '{}') : '{}' };
}

/**
 * Checks the headers that repeat arguments. A proxy that routes by headers must see the values of the body, so a header
 * that differs or is missing is refused, as the tool server itself would do. If the hub does not know yet which headers
 * a tool requires, the tool server checks those that the hub generates.
 * @see MCP 2026-07-28, Streamable HTTP, "Custom headers from tool parameters"
 */
export function checkParamHeaders(
  { era, paramHeaders }: AgentRequest,
  args: Readonly<Record<string, unknown>>,
  declared: readonly ParamHeader[],
): void {
  if (era !== 'modern' || declared.length === 0) return;
  const values = new Map(paramValuesOf(declared, args));
  for (const { name } of declared) {
    const header = `mcp-param-${name.toLowerCase()}`;
    if (paramHeaders.get(header) !== values.get(header)) throw headerMismatch(`Mcp-Param-${name}`);
  }
}
