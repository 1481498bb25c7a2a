import { actsAs } from '@legate/delegation';
import {
  type AgentSide,
  CAPABILITY_MISSING,
  INVALID_PARAMS,
  isDeeperThan,
  isObject,
  type JsonMembers,
  parseObject,
  repeatsName,
} from '@legate/mcp-client';
import type { Problem } from '@legate/service';
import type { Connector } from '../../domain/connector.ts';
import type { Served } from '../../domain/served.ts';
import { decidedBy } from '../../refusals/call-refused.ts';
import { RpcError } from '../../refusals/rpc-error.ts';
import {
  ARGUMENTS_REFUSED,
  agentCapabilityMissing,
  toolServerError,
  toolServerProblem,
} from '../../refusals/tool-server-problems.ts';
import { isOfTool, upstreamError } from '../../refusals/upstream-error.ts';
import type { AgentTask } from './agent-task.ts';
import { withoutOurQuestion } from './connect-question.ts';
import { elicits } from './elicitation.ts';
import type { Target } from './names.ts';
import type { RequestStates } from './request-state.ts';
import { type Delivery, deliver, type UpstreamResult } from './results.ts';

type Write = (result: UpstreamResult, to: Delivery) => string;

/** Handles the answers of tool servers, and their questions to the user of an agent. */
export type ToolServerAnswers = ReturnType<typeof createToolServerAnswers>;

export function createToolServerAnswers(states: RequestStates) {
  /** Passes a question to the agent unchanged, with its state sealed. */
  function ask(task: AgentTask, target: Target, question: UpstreamResult, to: Delivery): string {
    const { requestState } = question.result;
    if (requestState === undefined) return deliver(question, to);
    const state = typeof requestState === 'string' ? requestState : '';
    const sealed = JSON.stringify(states.seal(stateOwner(task, target), state));
    return deliver(question, to, () => [['requestState', sealed]]);
  }

  return {
    /**
     * Turns the answer of a tool server into the text of the result for the agent.
     * @throws {RpcError} for an error of the tool, or a capability that the agent lacks
     * @throws {Problem} for an answer that cannot be used
     */
    finish(task: AgentTask, target: Target, { answer, credential }: Served, write: Write): string {
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
        // The agent's client could otherwise request something that the hub has not checked.
        if (repeatsName(answer.json, answer.result))
          throw toolServerError('its question has an object with two members of the same name', connector);
        const missing = request.era === 'modern' ? undeclared(answer.result, request.agent) : {};
        if (missing) throw capabilityMissing(task, connector, missing);
        return ask(task, target, answer, to);
      }
      if (answer.kind !== 'error') throw toolServerProblem(answer, connector);
      if (answer.code === CAPABILITY_MISSING)
        throw capabilityMissing(task, connector, requiredCapabilities(answer.data));
      if (!isOfTool(answer)) throw toolServerProblem(answer, connector);
      const decided =
        answer.code === INVALID_PARAMS ? ARGUMENTS_REFUSED : decidedBy(toolServerProblem(answer, connector));
      task.call?.report({ step: 'refused', decided });
      throw upstreamError(answer);
    },
    /** Returns the responses to the tool's input request, as members of `params`; undefined if there are none. */
    inputsOf(task: AgentTask, target: Target): JsonMembers | undefined {
      const { era, params, written } = task.request;
      if (era === 'legacy') return undefined;
      const inputs = new Map<string, string>();
      const { inputResponses, requestState } = params;
      const responses = inputResponses ? withoutOurQuestion(written.get('inputResponses')) : undefined;
      if (responses !== undefined) inputs.set('inputResponses', responses);
      if (requestState !== undefined && requestState !== null)
        inputs.set('requestState', JSON.stringify(states.open(stateOwner(task, target), requestState)));
      return inputs.size > 0 ? inputs : undefined;
    },
  };
}

/**
 * Says what the agent's client, or its revision of MCP, cannot do. The tool server's own message is not passed on: it
 * speaks of the hub, which is its client.
 */
function capabilityMissing(
  { request, call }: AgentTask,
  connector: Connector,
  required: Readonly<Record<string, unknown>>,
): Problem | RpcError {
  const decided = { leg: 'caller', rule: 'agent_capability_missing' } as const;
  const detail = `Connector "${connector.id}" needs a capability that this agent does not have here, such as asking its user for input.`;
  if (request.era === 'modern') {
    call?.report({ step: 'refused', decided });
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

type Capabilities = Readonly<Record<string, unknown>>;

const MAX_DEPTH = 16;

/**
 * Returns the capabilities that an agent would have to declare for this question, as `requiredCapabilities`; undefined
 * if it has declared all of them.
 * @param question a result of the type `input_required`
 */
export function undeclared(question: Capabilities, { capabilities }: AgentSide): Capabilities | undefined {
  const { inputRequests } = question;
  const requests = isObject(inputRequests) ? Object.values(inputRequests) : [];
  const missing: Record<string, unknown> = {};
  const declared = (name: string): unknown => JSON.parse(capabilities.get(name) ?? 'null');
  for (const request of requests) {
    const { method, params } = isObject(request) ? request : {};
    if (method === 'sampling/createMessage' && !declared('sampling')) missing.sampling = {};
    if (method === 'roots/list' && !declared('roots')) missing.roots = {};
    if (method !== 'elicitation/create') continue;
    const mode = isObject(params) && params.mode === 'url' ? 'url' : 'form';
    if (!elicits(declared('elicitation'), mode))
      missing.elicitation = { ...(isObject(missing.elicitation) && missing.elicitation), [mode]: {} };
  }
  return Object.keys(missing).length > 0 ? missing : undefined;
}

/** Parses the capabilities that an agent lacks, according to a tool server. @param data text of the error's data */
export function requiredCapabilities(data: string | undefined): Capabilities {
  const required = parseObject(data ?? '')?.requiredCapabilities;
  return isObject(required) && !isDeeperThan(required, MAX_DEPTH) ? required : {};
}
