import { tool as functionTool, type Tool } from '@openai/agents';
import { answerCall, type ToolAnswer, type ToolsOptions } from '../adapters/answer.ts';
import { needsApproval } from '../adapters/approval.ts';
import { listTools } from '../adapters/list-tools.ts';
import { describeMedia, hasMedia, type Part, partsOf, textOf } from '../adapters/parts.ts';
import type { Legate } from '../client.ts';
import type { LegateTool, ToolList } from '../tool.ts';
import { isObject, type Json } from '../wire.ts';

export type { ToolAnswer, ToolsOptions, UserAction } from '../adapters/answer.ts';
export type { WhenUndecided } from '../adapters/approval.ts';

/** Tools for an `Agent` of the OpenAI Agents SDK. */
export interface OpenAiAgentsTools extends Pick<ToolList, 'leftOut' | 'failure'> {
  readonly tools: Tool[];
  /** Describes a call to the person who is asked. */
  readonly describe: (call: { readonly name: string; readonly arguments?: string }) => string;
}

/** Lists the user's tools. A call that needs the user's approval interrupts the run until it is given. */
export async function legateTools(legate: Legate, options: ToolsOptions = {}): Promise<OpenAiAgentsTools> {
  const { tools, leftOut, failure, describe } = await listTools(legate, options);
  return {
    tools: tools.map((tool) => toOpenAi(legate, tool, options)),
    describe: (call) => describe(call.name, parsed(call.arguments)),
    leftOut,
    failure,
  };
}

const toOpenAi = (legate: Legate, tool: LegateTool, options: ToolsOptions) =>
  functionTool({
    name: tool.name,
    description: tool.description ?? tool.title ?? '',
    parameters: toParameters(tool.inputSchema),
    strict: false, // strict mode would require all properties, but the tool server decides
    needsApproval: needsApproval(tool, options.whenUndecided),
    async execute(input: unknown, _context?: unknown, details?: { readonly signal?: AbortSignal }) {
      const { signal = options.signal } = details ?? {};
      const args = isObject(input) ? input : {};
      return toOutput(await answerCall(legate, tool, args, { ...options, ...(signal && { signal }) }));
    },
  });

/** Converts the tool server's schema to the SDK's type, which is stricter than necessary. */
const toParameters = (schema: Json) =>
  ({ properties: {}, required: [], additionalProperties: true, ...schema, type: 'object' }) as {
    type: 'object';
    properties: Record<string, never>;
    required: string[];
    additionalProperties: true;
  };

const toOutput = (answer: ToolAnswer) => (hasMedia(answer) ? partsOf(answer).map(toItem) : textOf(answer));

/** The SDK supports images and files, but not audio. */
function toItem(part: Part) {
  if (part.kind === 'text') return { type: 'text' as const, text: part.text };
  const { kind, data, mimeType: mediaType, name: filename = 'file' } = part;
  if (kind === 'image') return { type: 'image' as const, image: { data, mediaType } };
  if (kind === 'file') return { type: 'file' as const, file: { data, mediaType, filename } };
  return { type: 'text' as const, text: describeMedia(part) };
}

/** Returns the arguments of a call, parsed from the model's text. */
function parsed(text = '{}'): Json {
  try {
    const value: unknown = JSON.parse(text);
    return isObject(value) ? value : {};
  } catch {
    return { arguments: text };
  }
}
