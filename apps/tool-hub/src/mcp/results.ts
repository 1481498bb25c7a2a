import type { Problem } from '@legate/service';
import type { Connector } from '../connectors/connector.ts';
import { isObject } from '../upstream/json-rpc.ts';
import type { Era } from './message.ts';
import type { Naming } from './names.ts';
import { describe } from './rpc-error.ts';

type Result = Readonly<Record<string, unknown>>;

/** What a tool server answered: as text, and parsed. */
export interface UpstreamResult {
  readonly json: string;
  readonly result: Result;
}

/** Under these keys of `_meta` the hub says what the protocol has no member for. */
export const PROBLEM_KEY = 'legate/problem';
export const LEFT_OUT_KEY = 'legate/left_out';

/** The text of a tool's result, as the tool server wrote it wherever the agent's revision and door allow. */
export function toolResult(
  { json, result }: UpstreamResult,
  at: { era: Era; connector: Connector; naming: Naming },
): string {
  const { era, connector, naming } = at;
  const { content, structuredContent } = result;
  const needsWrap = era === 'legacy' && structuredContent !== undefined && !isObject(structuredContent);
  const hasUris = json.includes('"resource') && naming.uriFor(connector, '') !== '';
  if (!needsWrap && !hasUris) return withResultType(json, result, era);

  const changed = {
    ...result,
    ...(Array.isArray(content) && { content: content.map((block) => renameBlock(block, connector, naming)) }),
    // Before 2026-07-28 structured content is an object; the SDKs wrap others in the same way.
    ...(needsWrap && { structuredContent: { result: structuredContent } }),
    ...(needsWrap &&
      !hasText(content) && {
        content: [
          ...(Array.isArray(content) ? content : []),
          { type: 'text', text: JSON.stringify(structuredContent) },
        ],
      }),
  };
  return withResultType(JSON.stringify(changed), result, era);
}

export function promptResult(
  { json, result }: UpstreamResult,
  at: { era: Era; connector: Connector; naming: Naming },
): string {
  const { era, connector, naming } = at;
  if (!Array.isArray(result.messages) || !json.includes('"resource'))
    return withResultType(json, result, era);
  const messages = result.messages.map((message: unknown) =>
    isObject(message) ? { ...message, content: renameBlock(message.content, connector, naming) } : message,
  );
  return withResultType(JSON.stringify({ ...result, messages }), result, era);
}

/** Whatever a tool server says of caching, what was read as one user is never for another. */
export function resourceResult(
  { result }: UpstreamResult,
  at: { era: Era; connector: Connector; naming: Naming },
): string {
  const { era, connector, naming } = at;
  const contents = Array.isArray(result.contents)
    ? result.contents.map((content: unknown) => rename(content, connector, naming))
    : [];
  const ttlMs = typeof result.ttlMs === 'number' && result.ttlMs > 0 ? result.ttlMs : 0;
  return JSON.stringify({
    ...result,
    contents,
    ...(era === 'modern' && { resultType: 'complete', ttlMs, cacheScope: 'private' }),
  });
}

/** A tool call that came to nothing, told to the model as text and to programs in `_meta`. */
export const failedToolCall = (problem: Problem, era: Era): string =>
  JSON.stringify({
    ...(era === 'modern' && { resultType: 'complete' }),
    content: [{ type: 'text', text: problem.detail ?? problem.title }],
    isError: true,
    _meta: { [PROBLEM_KEY]: describe(problem) },
  });

/** Results of earlier revisions have no type, and those of the modern one must have it. */
function withResultType(json: string, result: Result, era: Era): string {
  if (era === 'legacy' || result.resultType !== undefined) return json;
  const isEmpty = Object.keys(result).length === 0;
  return `{"resultType":"complete"${isEmpty ? '' : ','}${json.slice(json.indexOf('{') + 1)}`;
}

/** Links to resources, and resources, lead back to their connector. */
function renameBlock(block: unknown, connector: Connector, naming: Naming): unknown {
  if (!isObject(block)) return block;
  if (block.type === 'resource_link') return rename(block, connector, naming);
  if (block.type === 'resource') return { ...block, resource: rename(block.resource, connector, naming) };
  return block;
}

const rename = (value: unknown, connector: Connector, naming: Naming): unknown =>
  isObject(value) && typeof value.uri === 'string'
    ? { ...value, uri: naming.uriFor(connector, value.uri) }
    : value;

const hasText = (content: unknown): boolean =>
  Array.isArray(content) && content.some((block) => isObject(block) && block.type === 'text');
