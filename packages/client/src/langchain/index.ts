import { ToolMessage } from '@langchain/core/messages';
import { DynamicStructuredTool } from '@langchain/core/tools';
import { getCurrentTaskInput, interrupt } from '@langchain/langgraph';
import {
  answerCall,
  describeUserAction,
  refusedAnswer,
  type ToolAnswer,
  type ToolsOptions,
  type UserAction,
} from '../adapters/answer.ts';
import { describeCall, needsApproval, REFUSED } from '../adapters/approval.ts';
import { listTools } from '../adapters/list-tools.ts';
import { hasMedia, type Part, partsOf, textOf } from '../adapters/parts.ts';
import type { Legate } from '../client.ts';
import type { LegateTool, ToolList } from '../tool.ts';
import { isObject, type Json, stringOf } from '../wire.ts';

export type { ToolAnswer, UserAction } from '../adapters/answer.ts';
export type { WhenUndecided } from '../adapters/approval.ts';

export interface LangChainOptions extends Omit<ToolsOptions, 'onUserAction'> {
  /**
   * Called when the user must connect an account or sign in. Returns the text for the model, or `interrupt`: then the
   * graph pauses with a `UserActionRequest`, and the tool is called again when the graph is resumed.
   */
  readonly onUserAction?: (needed: UserAction, tool: LegateTool) => string | Promise<string>;
  /** Page to which the user returns from the link in the interrupt, one of the hub's `RETURN_TO` */
  readonly returnTo?: string;
}

export interface LangChainTools extends Pick<ToolList, 'leftOut' | 'failure'> {
  readonly tools: DynamicStructuredTool[];
}

/** The value of the interrupt before a call, in the form of LangChain's `humanInTheLoopMiddleware`. */
export interface ApprovalRequest {
  readonly actionRequests: readonly [
    {
      name: string;
      args: Json;
      description: string;
      /** The id of the model's call, which the decision repeats. Undefined if a program calls the tool */
      id?: string;
    },
  ];
  readonly reviewConfigs: readonly [{ actionName: string; allowedDecisions: readonly Decision['type'][] }];
}

/**
 * How to resume the graph: `new Command({ resume: { decisions: [{ type: 'approve', id: request.id }] } })`. Anything
 * else refuses the call. LangGraph passes a value without an interrupt id to all waiting calls, so a decision without
 * an `id` counts only if the model has requested a single call.
 */
export type Decision = { readonly id?: string } & (
  | { readonly type: 'approve' }
  | { readonly type: 'edit'; readonly editedAction: { readonly name: string; readonly args: Json } }
  | { readonly type: 'reject'; readonly message?: string }
);

/** The value of the interrupt for an action of the user; any value resumes it. */
export type UserActionRequest =
  | {
      readonly type: 'connection_required';
      readonly tool: string;
      readonly connectorId: string;
      readonly connectorName: string | undefined;
      /** Undefined if the hub cannot provide a link at the moment */
      readonly authorizeUrl: string | undefined;
    }
  | { readonly type: 'sign_in_required'; readonly tool: string; readonly reason: string };

/** Lists the user's tools for a graph with a checkpointer. A call that needs approval interrupts the graph first. */
export async function legateTools(legate: Legate, options: LangChainOptions = {}): Promise<LangChainTools> {
  const { tools, leftOut, failure } = await listTools(legate, options);
  return { tools: tools.map((tool) => toLangChain(legate, tool, options)), leftOut, failure };
}

const toLangChain = (legate: Legate, tool: LegateTool, options: LangChainOptions) =>
  new DynamicStructuredTool({
    name: tool.name,
    description: tool.description ?? tool.title ?? '',
    schema: tool.inputSchema,
    func: async (input: unknown, _runManager, config) => {
      const { signal = options.signal, toolCall } = (config ?? {}) as CallConfig;
      const call = { id: toolCall?.id, ...placeOf(toolCall?.id) };
      const args = isObject(input) ? input : {};
      const approved = approvedArguments(legate, tool, args, { ...options, call });
      const answer =
        approved.refusal === undefined
          ? await answerCall(legate, tool, approved.args, {
              ...(signal && { signal }),
              onUserAction: (needed) => describeOrAsk(needed, tool, { ...options, call }),
            })
          : refusedAnswer(approved.refusal);
      return toMessage(answer, tool, toolCall?.id);
    },
  });

/** The arguments that LangChain passes to a tool in addition to its own */
interface CallConfig {
  readonly signal?: AbortSignal;
  readonly toolCall?: { readonly id?: string };
}

/** The context in which the graph runs a call of the model */
interface CallPlace {
  /**
   * False in a node that calls other tools too, as `ToolNode` does: when it is resumed after an interrupt, it calls all
   * of them again, so completed calls would be repeated. LangChain's agents, and `createReactAgent` of version `v2`,
   * have one node for each call. Also false for one of several calls with the same id, because no decision could
   * distinguish them.
   */
  readonly mayInterrupt: boolean;
  /** True for the only call of the model's message */
  readonly isAlone: boolean;
}

type OfCall = LangChainOptions & { readonly call: CallPlace & { readonly id: string | undefined } };

const ALONE =
  'The user must approve this call first. Call this tool again, and no other tool at the same time.';

function placeOf(toolCallId: string | undefined): CallPlace {
  if (toolCallId === undefined) return { mayInterrupt: true, isAlone: true };
  const input = taskInput();
  const hasOwnNode = isObject(input) && 'lg_tool_call' in input;
  const messages: unknown = isObject(input) ? input.messages : input;
  const calls = (Array.isArray(messages) ? messages : []).flatMap((message) =>
    isObject(message) && Array.isArray(message.tool_calls) ? [message.tool_calls] : [],
  );
  const isOwn = (call: unknown): boolean => isObject(call) && call.id === toolCallId;
  const own = calls.findLast((of) => of.some(isOwn));
  // If the node's input does not contain the message, the call may be one of several.
  const isAlone = own ? own.length === 1 : !hasOwnNode;
  const mayInterrupt = hasOwnNode ? (own ?? []).filter(isOwn).length <= 1 : isAlone;
  return { mayInterrupt, isAlone };
}

/** @returns undefined outside of a graph, where an interrupt throws */
function taskInput(): unknown {
  try {
    return getCurrentTaskInput();
  } catch {
    return undefined;
  }
}

type Approved =
  | { readonly args: Json; readonly refusal?: never }
  | { readonly args?: never; readonly refusal: string };

/** Interrupts the graph, unless the call needs no approval. Anything but an approval counts as a refusal. */
function approvedArguments(legate: Legate, tool: LegateTool, args: Json, options: OfCall): Approved {
  if (!needsApproval(tool, options.whenUndecided)) return { args };
  const { id, isAlone, mayInterrupt } = options.call;
  if (!mayInterrupt) return { refusal: ALONE };
  const description = describeCall(legate, tool, args);
  const request: ApprovalRequest = {
    actionRequests: [{ name: tool.name, args, description, ...(id !== undefined && { id }) }],
    reviewConfigs: [{ actionName: tool.name, allowedDecisions: ['approve', 'edit', 'reject'] }],
  };
  const decision = decisionOf(interrupt(request), id);
  if (!decision) return { refusal: REFUSED };
  if (decision.id === undefined && !isAlone) return { refusal: ALONE };
  const { type, editedAction, message } = decision;
  if (type === 'approve') return { args };
  const isEdited = type === 'edit' && isObject(editedAction) && editedAction.name === tool.name;
  if (isEdited && isObject(editedAction.args)) return { args: editedAction.args };
  return { refusal: stringOf(message) ?? REFUSED };
}

/** Returns the decision about this call, or the only decision if it has no id. */
function decisionOf(answer: unknown, id: string | undefined): Json | undefined {
  const given: unknown[] = isObject(answer) && Array.isArray(answer.decisions) ? answer.decisions : [];
  const decisions = given.filter(isObject);
  const unnamed = decisions.length === 1 && decisions[0]?.id === undefined ? decisions[0] : undefined;
  return decisions.find((decision) => decision.id !== undefined && decision.id === id) ?? unnamed;
}

async function describeOrAsk(needed: UserAction, tool: LegateTool, options: OfCall): Promise<string> {
  const text = options.onUserAction ? await options.onUserAction(needed, tool) : describeUserAction(needed);
  if (text !== 'interrupt') return text;
  if (!options.call.mayInterrupt) return describeUserAction(needed);
  // Throws the first time. When the graph is resumed, the call is tried again before this line is reached.
  interrupt(await toRequest(needed, tool, options));
  return describeUserAction(needed);
}

async function toRequest(
  needed: UserAction,
  { name: tool }: LegateTool,
  { returnTo }: LangChainOptions,
): Promise<UserActionRequest> {
  const { kind: type } = needed;
  if (type === 'sign_in_required') return { type, tool, reason: needed.reason };
  const link = await needed.connect({ ...(returnTo !== undefined && { returnTo }) });
  const authorizeUrl = link.kind === 'link' ? link.authorizeUrl : undefined;
  const { connectorId, connectorName } = needed;
  return { type, tool, connectorId, connectorName, authorizeUrl };
}

/** Returns a message if a model's tool call called the tool. A program that invokes the tool gets the content. */
function toMessage(answer: ToolAnswer, { name }: LegateTool, toolCallId: string | undefined) {
  const content = contentOf(answer);
  if (toolCallId === undefined) return content;
  const status = answer.isError ? 'error' : 'success';
  return new ToolMessage({ content, name, status, tool_call_id: toolCallId, artifact: answer });
}

const contentOf = (answer: ToolAnswer) => (hasMedia(answer) ? partsOf(answer).map(toBlock) : textOf(answer));

/** Converts a part to the form of LangChain's own adapter for MCP, which the packages of its providers understand. */
function toBlock(part: Part) {
  if (part.kind === 'text') return { type: 'text', text: part.text };
  const { kind: type, data, mimeType, name: filename } = part;
  if (type === 'image') return { type: 'image_url', image_url: { url: `data:${mimeType};base64,${data}` } };
  const metadata = filename === undefined ? {} : { metadata: { filename } };
  return { type, source_type: 'base64', mime_type: mimeType, data, ...metadata };
}
