import { actsAs } from '@legate/delegation';
import {
  CAPABILITY_MISSING,
  INVALID_PARAMS,
  type Interim,
  isObject,
  type KnownParamHeaders,
  type ListKind,
  type McpRequest,
  METHOD_NOT_FOUND,
} from '@legate/mcp-client';
import { Problem } from '@legate/service';
import type { RunningCall } from '../../audit/call-trail.ts';
import type { CallTool, SendAsCaller, SendOptions } from '../../calls/call-tool.ts';
import type { Caller } from '../../domain/caller.ts';
import type { Connector } from '../../domain/connector.ts';
import type { Presence } from '../../domain/presence.ts';
import type { Served } from '../../domain/served.ts';
import { decidedBy } from '../../refusals/call-refused.ts';
import { fromProblem, RpcError } from '../../refusals/rpc-error.ts';
import {
  ARGUMENTS_REFUSED,
  agentCapabilityMissing,
  toolNotFound,
  toProblem,
} from '../../refusals/tool-server-problems.ts';
import { isOfTool, upstreamError } from '../../refusals/upstream-error.ts';
import { requiredCapabilities, undeclared } from './agent-capabilities.ts';
import { checkParamHeaders } from './check-param-headers.ts';
import type { AgentList } from './lists.ts';
import type { McpEndpoint } from './mcp-endpoint.ts';
import type { AgentRequest } from './message.ts';
import type { Target } from './names.ts';
import { isNotFound, notFound, resourceNotFound, unknown } from './not-found.ts';
import type { RequestStates } from './request-state.ts';
import {
  type Delivery,
  deliver,
  failedToolCall,
  promptResult,
  resourceResult,
  toolResult,
  type UpstreamResult,
} from './results.ts';
import { discovery, initialization } from './server-info.ts';

/** One request of an agent, and the connectors that it may use. */
export interface AgentTask {
  readonly caller: Caller;
  readonly endpoint: McpEndpoint;
  readonly request: AgentRequest;
  readonly presence: Presence;
  readonly interim: Interim;
  /** Resolves when the request has been counted; a tool call looks up its token without waiting for it. */
  readonly admitted: Promise<void>;
  /** Present for what is an event of the audit trail by itself */
  readonly call?: RunningCall | undefined;
  /** Set as soon as the connector is known, so that a revocation of the connector cancels the request. */
  readonly at: { connectorId: string | undefined };
}

/**
 * @returns the text of the JSON-RPC result
 * @throws {RpcError} what the protocol has an error for
 * @throws {Problem} what the HTTP answer as a whole must say: 401, when the user has to sign in again
 */
export type AnswerAgent = (task: AgentTask) => Promise<string>;

const LIST_METHODS = new Map<string, ListKind>([
  ['tools/list', 'tools'],
  ['resources/list', 'resources'],
  ['resources/templates/list', 'resourceTemplates'],
  ['prompts/list', 'prompts'],
]);

/** All methods that an agent can call. */
export const METHODS: ReadonlySet<string> = new Set([
  ...LIST_METHODS.keys(),
  ...['tools/call', 'prompts/get', 'resources/read', 'server/discover', 'initialize', 'ping'],
]);

type Write = (result: UpstreamResult, to: Delivery) => string;

/** @param deps.timeoutMs for one request, whatever number of requests it takes */
export function createAnswerAgent(deps: {
  list: AgentList;
  callTool: CallTool;
  send: SendAsCaller;
  known: KnownParamHeaders;
  states: RequestStates;
  timeoutMs: number;
}): AnswerAgent {
  const { list, callTool, send, known, states, timeoutMs } = deps;

  async function answerToolCall(task: AgentTask): Promise<string> {
    const { caller, endpoint, request } = task;
    const { name, arguments: args = {} } = request.params;
    const target = typeof name === 'string' ? endpoint.naming.findByName(name) : undefined;
    if (!target) {
      task.call?.tell({ step: 'refused', decided: { leg: 'registry', rule: 'tool_unknown' } });
      throw unknown('tool');
    }
    enter(task, target);
    if (!isObject(args)) throw new RpcError(INVALID_PARAMS, 'Invalid params: arguments must be an object');
    const { connector } = target;
    checkParamHeaders(request, args, known.find(connector, target.name));
    const further = furtherParams(task, target);
    try {
      const call = { name: target.name, arguments: args, further, agent: request.agent };
      const served = await callTool(caller, connector, call, optionsOf(task));
      const { answer } = served;
      if (answer.kind === 'error' && answer.code === METHOD_NOT_FOUND)
        throw toolNotFound(target.name, connector);
      return finish(task, target, served, toolResult);
    } catch (err) {
      task.call?.tell({ step: 'failed', error: err });
      if (!(err instanceof Problem) || err.status === 401) throw err;
      if (err.code === 'tool_not_found') throw unknown('tool');
      return failedToolCall(err, request.era, task.call?.id);
    }
  }

  async function answerByPrompt(task: AgentTask): Promise<string> {
    const { name, arguments: args } = task.request.params;
    const target = typeof name === 'string' ? task.endpoint.naming.findByName(name) : undefined;
    if (!target) throw unknown('prompt');
    const own = { name: target.name, ...(args !== undefined && { arguments: args }) };
    return forward(task, target, 'prompts/get', own, promptResult);
  }

  async function answerByResource(task: AgentTask): Promise<string> {
    const { uri } = task.request.params;
    const target = typeof uri === 'string' ? task.endpoint.naming.findByUri(uri) : undefined;
    if (!target) throw resourceNotFound(task.request);
    return forward(task, target, 'resources/read', { uri: target.name }, resourceResult);
  }

  async function forward(
    task: AgentTask,
    target: Target,
    method: McpRequest['method'],
    own: Record<string, unknown>,
    write: Write,
  ): Promise<string> {
    const { connector, name } = target;
    enter(task, target);
    // An agent bound to single tools may use nothing else.
    if (connector.binding?.tools) throw notFound(task.request);
    const params = { ...own, ...furtherParams(task, target) };
    const { agent } = task.request;
    try {
      const request = { method, name, params, agent };
      const served = await send(task.caller, connector, request, optionsOf(task));
      const { answer } = served;
      if (answer.kind === 'error' && isNotFound(answer, request)) throw notFound(task.request);
      return finish(task, target, served, write);
    } catch (err) {
      task.call?.tell({ step: 'failed', error: err });
      throw err instanceof Problem && err.status !== 401 ? fromProblem(err) : err;
    }
  }

  function finish(task: AgentTask, target: Target, { answer, credential }: Served, write: Write): string {
    const { endpoint, request } = task;
    const { connector } = target;
    const to = {
      era: request.era,
      connector,
      naming: endpoint.naming,
      actsAs: actsAs(credential),
      callId: request.method === 'tools/call' ? task.call?.id : undefined,
    };
    if (answer.kind === 'result') return write(answer, to);
    if (answer.kind === 'input_required') {
      const missing = request.era === 'modern' ? undeclared(answer.result, request.agent) : {};
      if (missing) throw capabilityMissing(task, connector, missing);
      return ask(task, target, answer, to);
    }
    if (answer.kind !== 'error') throw toProblem(answer, connector);
    if (answer.code === CAPABILITY_MISSING)
      throw capabilityMissing(task, connector, requiredCapabilities(answer.data));
    if (!isOfTool(answer)) throw toProblem(answer, connector);
    const decided =
      answer.code === INVALID_PARAMS ? ARGUMENTS_REFUSED : decidedBy(toProblem(answer, connector));
    task.call?.tell({ step: 'refused', decided });
    throw upstreamError(answer);
  }

  /** The question goes to the agent as it is, and the state sealed. */
  function ask(task: AgentTask, target: Target, question: UpstreamResult, to: Delivery): string {
    const { requestState } = question.result;
    if (requestState === undefined) return deliver(question, to);
    const state = typeof requestState === 'string' ? requestState : '';
    return deliver(question, to, () => ({ requestState: states.seal(stateOwner(task, target), state) }));
  }

  /** The responses to a tool's input request; undefined if there was none. */
  function furtherParams(task: AgentTask, target: Target): Record<string, unknown> | undefined {
    const { inputResponses, requestState } = task.request.params;
    if (task.request.era === 'legacy') return undefined;
    if (inputResponses === undefined && requestState === undefined) return undefined;
    return {
      ...(inputResponses !== undefined && { inputResponses }),
      ...(requestState !== undefined && {
        requestState: states.open(stateOwner(task, target), requestState),
      }),
    };
  }

  const optionsOf = ({ presence, interim, call, admitted }: AgentTask): SendOptions => ({
    deadline: performance.now() + timeoutMs,
    presence,
    interim,
    observer: call,
    admitted,
  });

  return async (task) => {
    const { caller, endpoint, request, presence } = task;
    const { method, era, params } = request;
    const kind = LIST_METHODS.get(method);
    if (kind) {
      const { extensions } = request.agent;
      return list({ caller, endpoint, kind, cursor: params.cursor, era, extensions, presence });
    }
    if (method === 'tools/call') return answerToolCall(task);
    if (method === 'prompts/get') return answerByPrompt(task);
    if (method === 'resources/read') return answerByResource(task);
    if (method === 'server/discover' && era === 'modern') return discovery();
    if (method === 'initialize' && era === 'legacy') return initialization(params.protocolVersion);
    if (method === 'ping' && era === 'legacy') return '{}';
    throw new RpcError(METHOD_NOT_FOUND, 'Method not found', { status: era === 'modern' ? 404 : 200 });
  };
}

/** From here on, the request ends with its connector. */
function enter({ at, call }: AgentTask, { connector, name }: Target): void {
  at.connectorId = connector.id;
  call?.tell({ step: 'target_found', connector, name });
}

/** A capability that the agent's revision or client lacks; the tool server's own message would be about the hub. */
function capabilityMissing(
  { request, call }: AgentTask,
  connector: Connector,
  required: Readonly<Record<string, unknown>>,
): Problem | RpcError {
  const decided = { leg: 'caller', rule: 'agent_capability_missing' } as const;
  const detail = `Connector "${connector.id}" needs more than this agent offers here, such as asking its user something.`;
  if (request.era === 'modern') {
    call?.tell({ step: 'refused', decided });
    return new RpcError(CAPABILITY_MISSING, detail, {
      status: 400,
      data: { requiredCapabilities: required },
    });
  }
  return agentCapabilityMissing(decided, detail, connector);
}

const stateOwner = ({ caller, request }: AgentTask, { connector, name }: Target) => ({
  caller,
  connector,
  method: request.method,
  name,
});
