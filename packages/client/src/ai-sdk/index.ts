import { dynamicTool, jsonSchema, type ToolSet } from 'ai';
import { answerCall, type ToolAnswer, type ToolsOptions } from '../adapters/answer.ts';
import { needsApproval } from '../adapters/approval.ts';
import { listTools } from '../adapters/list-tools.ts';
import { hasMedia, type Part, partsOf, textOf } from '../adapters/parts.ts';
import type { Legate } from '../client.ts';
import type { LegateTool, ToolList } from '../tool.ts';
import { isObject, type Json } from '../wire.ts';

export type { ToolAnswer, ToolsOptions, UserAction } from '../adapters/answer.ts';
export type { WhenUndecided } from '../adapters/approval.ts';

/** Tools for `generateText`, `streamText` and agents of AI SDK 6 and 7. */
export interface AiSdkTools extends Pick<ToolList, 'leftOut' | 'failure'> {
  readonly tools: ToolSet;
  /** Value for the option of this name in AI SDK 7. The tools ask for approval without it, too. */
  readonly toolApproval: Readonly<Record<string, 'user-approval'>>;
  /** Describes a call to the person who is asked. */
  readonly describe: (call: { readonly toolName: string; readonly input: unknown }) => string;
}

/** Lists the user's tools. A call that needs the user's approval runs only after it is given. */
export async function legateTools(legate: Legate, options: ToolsOptions = {}): Promise<AiSdkTools> {
  const { tools, leftOut, failure, describe } = await listTools(legate, options);
  const asked = tools.filter((tool) => needsApproval(tool, options.whenUndecided));
  return {
    tools: Object.fromEntries(tools.map((tool) => [tool.name, toAiSdk(legate, tool, options)])),
    toolApproval: Object.fromEntries(asked.map(({ name }) => [name, 'user-approval' as const])),
    describe: ({ toolName, input }) => describe(toolName, argumentsOf(input)),
    leftOut,
    failure,
  };
}

const toAiSdk = (legate: Legate, tool: LegateTool, options: ToolsOptions) =>
  dynamicTool({
    ...(tool.description !== undefined && { description: tool.description }),
    ...(tool.title !== undefined && { title: tool.title }),
    inputSchema: jsonSchema(tool.inputSchema),
    needsApproval: needsApproval(tool, options.whenUndecided),
    execute: (input, { abortSignal }) =>
      answerCall(legate, tool, argumentsOf(input), {
        ...options,
        ...(abortSignal && { signal: abortSignal }),
      }),
    toModelOutput: ({ output }) => toModelOutput(output as ToolAnswer), // what `execute` has returned
  });

const argumentsOf = (input: unknown): Json => (isObject(input) ? input : {});

function toModelOutput(answer: ToolAnswer) {
  if (answer.isError) return { type: 'error-text' as const, value: textOf(answer) };
  if (!hasMedia(answer)) return { type: 'text' as const, value: textOf(answer) };
  return { type: 'content' as const, value: partsOf(answer).map(toContent) };
}

/**
 * AI SDK 7 converts `image-data` to `file-data`. AI SDK 6 needs `image-data`, because its providers accept images in
 * that form.
 */
function toContent(part: Part) {
  if (part.kind === 'text') return { type: 'text' as const, text: part.text };
  const { data, mimeType: mediaType, name: filename } = part;
  if (part.kind === 'image') return { type: 'image-data' as const, data, mediaType };
  return { type: 'file-data' as const, data, mediaType, ...(filename !== undefined && { filename }) };
}
