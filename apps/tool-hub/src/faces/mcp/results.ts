import type { ActsAs } from '@legate/delegation';
import { isDeeperThan, isObject, spansOf } from '@legate/mcp-client';
import type { Problem } from '@legate/service';
import { CALL_ID_KEY } from '../../domain/call-id.ts';
import type { Connector } from '../../domain/connector.ts';
import { withoutOurKeys } from '../../domain/our-keys.ts';
import { membersOf } from '../../refusals/rpc-error.ts';
import { textForModel } from '../../refusals/text-for-model.ts';
import { toolServerError } from '../../refusals/tool-server-problems.ts';
import type { Era } from './mcp-methods.ts';
import type { Naming } from './names.ts';

type Result = Readonly<Record<string, unknown>>;

/** A tool server's result: as text, and parsed. */
export interface UpstreamResult {
  readonly json: string;
  readonly result: Result;
}

/** Keys of `_meta` for what the protocol has no member for. */
export const PROBLEM_KEY = 'legate/problem';
export const LEFT_OUT_KEY = 'legate/left_out';
const ACTS_AS_KEY = 'legate/acts_as';
/** Says which item a renamed one is: its connector, and its name there */
export const TOOL_KEY = 'legate/tool';

/** The recipient of a result, and its origin. */
export interface Delivery {
  readonly era: Era;
  readonly connector: Connector;
  readonly naming: Naming;
  /** `service` if it was obtained with a service credential */
  readonly actsAs: ActsAs;
  /** Id of a tool call */
  readonly callId?: string | undefined;
}

/** Deeper results are not serialized again, which could overflow the stack. */
const MAX_DEPTH = 128;

/** Returns the text of a tool's result, unchanged wherever the agent's revision and path allow. */
export function toolResult(upstream: UpstreamResult, to: Delivery): string {
  const { content, structuredContent } = upstream.result;
  // Before 2026-07-28 structured content is an object; the SDKs wrap other values the same way.
  const needsWrap = to.era === 'legacy' && structuredContent !== undefined && !isObject(structuredContent);
  if (!needsWrap && !linksResources(upstream, to)) return deliver(upstream, to);
  return deliver(upstream, to, () => {
    const blocks = Array.isArray(content) ? content.map((block) => renameBlock(block, to)) : [];
    if (!needsWrap) return { content: blocks };
    if (!blocks.some((block) => isObject(block) && block.type === 'text'))
      blocks.push({ type: 'text', text: JSON.stringify(structuredContent) });
    return { content: blocks, structuredContent: { result: structuredContent } };
  });
}

export function promptResult(upstream: UpstreamResult, to: Delivery): string {
  const { messages } = upstream.result;
  if (!Array.isArray(messages) || !linksResources(upstream, to)) return deliver(upstream, to);
  return deliver(upstream, to, () => ({
    messages: messages.map((message: unknown) =>
      isObject(message) ? { ...message, content: renameBlock(message.content, to) } : message,
    ),
  }));
}

/** Whatever a tool server says about caching, what was read as one user is never shared with another. */
export function resourceResult(upstream: UpstreamResult, to: Delivery): string {
  const { contents, ttlMs } = upstream.result;
  return deliver(upstream, to, () => ({
    ...(Array.isArray(contents) && { contents: contents.map((content) => rename(content, to)) }),
    ...(to.era === 'modern' && {
      ttlMs: typeof ttlMs === 'number' && ttlMs > 0 ? ttlMs : 0,
      cacheScope: 'private',
    }),
  }));
}

/**
 * @param change members that must differ for this agent
 * @throws {Problem} for a result that cannot be serialized again
 */
export function deliver({ json, result }: UpstreamResult, to: Delivery, change?: () => Result): string {
  const meta = withoutOurKeys(result._meta);
  const own = ownMeta(to);
  if (!change && meta === result._meta) {
    const text = withResultType(json, result, to.era);
    const told = own === undefined ? text : withMetaMembers(text, meta, own);
    if (told !== undefined) return told;
  }
  if (isDeeperThan(result, MAX_DEPTH)) throw toolServerError('its result is nested too deeply', to.connector);
  const told = own === undefined ? meta : { ...(isObject(meta) && meta), ...own };
  const changed = { ...result, ...change?.(), ...(told !== undefined && { _meta: told }) };
  return withResultType(JSON.stringify(changed), result, to.era);
}

/** Returns the hub's own keys in `_meta` of a result; undefined: none. */
function ownMeta({ callId, actsAs }: Delivery): Readonly<Record<string, string>> | undefined {
  if (actsAs === 'user') return callId === undefined ? undefined : { [CALL_ID_KEY]: callId };
  return { ...(callId !== undefined && { [CALL_ID_KEY]: callId }), [ACTS_AS_KEY]: actsAs };
}

/** `_meta` of what a tool server says, where the agent learns that it was said to a service and not to its user. */
export function metaOf({ _meta }: Result, actsAs: ActsAs): unknown {
  const meta = withoutOurKeys(_meta);
  return actsAs === 'user' ? meta : { ...(isObject(meta) && meta), [ACTS_AS_KEY]: actsAs };
}

/**
 * Adds members to `_meta` of a result as it was written.
 * @returns undefined where the result has more than one `_meta`, or one that is no object
 */
function withMetaMembers(
  json: string,
  meta: unknown,
  own: Readonly<Record<string, string>>,
): string | undefined {
  const members = JSON.stringify(own).slice(1, -1);
  if (meta === undefined) {
    const rest = json.slice(json.indexOf('{') + 1);
    return `{"_meta":{${members}}${/^\s*\}/.test(rest) ? '' : ','}${rest}`;
  }
  const at = isObject(meta) ? startOfMeta(json) : undefined;
  if (at === undefined) return undefined;
  const rest = json.slice(at);
  return `${json.slice(0, at)}${members}${/^\s*\}/.test(rest) ? '' : ','}${rest}`;
}

const META = /"_meta"\s*:\s*\{/g;

/** A letter written so may be one of `_meta`, which is then not found. */
const ESCAPED_ASCII = '\\u00';

/** Returns the place behind the opening brace of the only `_meta` of a result. */
function startOfMeta(json: string): number | undefined {
  // Most results have the word once, and need not be looked through member by member.
  const [first, second] = json.matchAll(META);
  if (first && !second && !json.includes(ESCAPED_ASCII)) return first.index + first[0].length;
  const [only, ...others] = spansOf(json, '_meta');
  return only && others.length === 0 ? json.indexOf('{', only.start) + 1 : undefined;
}

/** Most results have no links, which the text shows faster than the parsed members. */
const linksResources = ({ json }: UpstreamResult, { naming }: Delivery): boolean =>
  naming.isChanging && json.includes('"resource');

/**
 * A failed tool call, as text for the model and in `_meta` for programs.
 * @param meta further members of it
 */
export const failedToolCall = (
  problem: Problem,
  era: Era,
  callId?: string,
  meta?: Readonly<Record<string, unknown>>,
): string =>
  JSON.stringify({
    ...(era === 'modern' && { resultType: 'complete' }),
    content: [{ type: 'text', text: textForModel(problem) }],
    isError: true,
    _meta: {
      [PROBLEM_KEY]: membersOf(problem),
      ...(callId !== undefined && { [CALL_ID_KEY]: callId }),
      ...meta,
    },
  });

/** Results of earlier revisions have no type, and those of the modern one must have it. */
function withResultType(json: string, result: Result, era: Era): string {
  if (era === 'legacy' || result.resultType !== undefined) return json;
  const isEmpty = Object.keys(result).length === 0;
  return `{"resultType":"complete"${isEmpty ? '' : ','}${json.slice(json.indexOf('{') + 1)}`;
}

/** Links to resources, and resources, lead back to their connector. */
function renameBlock(block: unknown, to: Delivery): unknown {
  if (!isObject(block)) return block;
  if (block.type === 'resource_link') return rename(block, to);
  if (block.type === 'resource') return { ...block, resource: rename(block.resource, to) };
  return block;
}

const rename = (value: unknown, { connector, naming }: Delivery): unknown =>
  isObject(value) && typeof value.uri === 'string'
    ? { ...value, uri: naming.uriFor(connector, value.uri) }
    : value;
