import type { ActsAs } from '@legate/delegation';
import { isObject, itemsOf, type JsonMembers, membersOf, writeObject } from '@legate/mcp-client';
import type { Problem } from '@legate/service';
import { CALL_ID_KEY } from '../../domain/call-id.ts';
import type { Connector } from '../../domain/connector.ts';
import { metaWith } from '../../domain/our-keys.ts';
import { problemMembers } from '../../refusals/rpc-error.ts';
import { textForModel } from '../../refusals/text-for-model.ts';
import type { Era } from './agent-request.ts';
import type { Naming } from './names.ts';

/** A tool server's result, as text and parsed */
export interface UpstreamResult {
  readonly json: string;
  readonly result: Readonly<Record<string, unknown>>;
}

/** Keys of `_meta` for values that the protocol has no member for */
export const PROBLEM_KEY = 'legate/problem';
export const LEFT_OUT_KEY = 'legate/left_out';
const ACTS_AS_KEY = 'legate/acts_as';
/** Key of the origin of a renamed item: its connector, and its name there */
export const TOOL_KEY = 'legate/tool';

/** The recipient of a result, and its origin */
export interface Delivery {
  readonly era: Era;
  readonly connector: Connector;
  readonly naming: Naming;
  /** `service` if the result was obtained with a service credential */
  readonly actsAs: ActsAs;
  /** Id of a tool call */
  readonly callId?: string | undefined;
}

type Members = Iterable<readonly [name: string, json: string]>;

/** Returns the text of a tool's result, unchanged wherever the agent's revision and path allow. */
export function toolResult(upstream: UpstreamResult, to: Delivery): string {
  const { content, structuredContent } = upstream.result;
  // Before 2026-07-28 structured content is an object; the SDKs wrap other values the same way.
  const needsWrap = to.era === 'legacy' && structuredContent !== undefined && !isObject(structuredContent);
  const hasNull = content === null; // an empty list of some languages, which agents refuse
  if (!needsWrap && !hasNull && !linksResources(upstream, to)) return deliver(upstream, to);
  return deliver(upstream, to, (written) => {
    const blocks = mapItems(content, written.get('content'), (block, json) => renameBlock(block, json, to));
    if (!needsWrap) return [['content', arrayOf(blocks)]];
    const wrapped = written.get('structuredContent') ?? 'null';
    const hasText =
      Array.isArray(content) && content.some((block) => isObject(block) && block.type === 'text');
    if (!hasText) blocks.push(JSON.stringify({ type: 'text', text: wrapped }));
    return [
      ['content', arrayOf(blocks)],
      ['structuredContent', `{"result":${wrapped}}`],
    ];
  });
}

export function promptResult(upstream: UpstreamResult, to: Delivery): string {
  const { messages } = upstream.result;
  if (!Array.isArray(messages) || !linksResources(upstream, to)) return deliver(upstream, to);
  const renameIn = (message: unknown, json: string): string =>
    isObject(message)
      ? changed(json, 'content', (content) => renameBlock(message.content, content, to))
      : json;
  return deliver(upstream, to, (written) => [
    ['messages', arrayOf(mapItems(messages, written.get('messages'), renameIn))],
  ]);
}

/**
 * Writes the result of a read for the agent. A user's data is never marked as shareable, whatever a tool server allows.
 */
export function resourceResult(upstream: UpstreamResult, to: Delivery): string {
  const { contents, ttlMs } = upstream.result;
  const hasTtl = typeof ttlMs === 'number' && ttlMs > 0;
  return deliver(upstream, to, (written) => {
    const changes: [string, string][] = [];
    if (Array.isArray(contents)) {
      const renamed = mapItems(contents, written.get('contents'), (content, json) =>
        rename(content, json, to),
      );
      changes.push(['contents', arrayOf(renamed)]);
    }
    if (to.era === 'modern')
      changes.push(['ttlMs', (hasTtl && written.get('ttlMs')) || '0'], ['cacheScope', '"private"']);
    return changes;
  });
}

/**
 * Writes a result from its members, each as the tool server wrote it. A member that occurs twice is written once, with
 * the value that the hub has read.
 * @param change members that must differ for this agent
 */
export function deliver(
  { json, result }: UpstreamResult,
  to: Delivery,
  change?: (written: JsonMembers) => Members,
): string {
  const members = membersOf(json);
  for (const [name, text] of change?.(members) ?? []) members.set(name, text);
  const meta = metaWith(members.get('_meta'), ownMeta(to));
  if (meta !== undefined) members.set('_meta', meta);
  // Results of earlier revisions have no type; in the modern revision the type is required.
  if (to.era === 'modern' && result.resultType === undefined) members.set('resultType', '"complete"');
  return writeObject(members);
}

/** Returns the hub's own keys in `_meta` of a result, as JSON. */
function ownMeta({ callId, actsAs }: Delivery): JsonMembers {
  const own = new Map<string, string>();
  if (callId !== undefined) own.set(CALL_ID_KEY, JSON.stringify(callId));
  if (actsAs !== 'user') own.set(ACTS_AS_KEY, JSON.stringify(actsAs));
  return own;
}

/** Returns the members of `_meta` that inform an agent that a service, and not its user, got the response. */
export const actsAsMeta = (actsAs: ActsAs): JsonMembers =>
  new Map(actsAs === 'user' ? [] : [[ACTS_AS_KEY, JSON.stringify(actsAs)]]);

const arrayOf = (items: readonly string[]): string => `[${items.join(',')}]`;

/** @param array parsed; any other value has no items @param json the same value as it was written */
function mapItems(
  array: unknown,
  json: string | undefined,
  map: (item: unknown, json: string) => string,
): string[] {
  const values: readonly unknown[] = Array.isArray(array) ? array : [];
  return itemsOf(json ?? '').map((text, index) => map(values[index], text));
}

/** Returns an object with one member replaced, if the object has it. */
function changed(json: string, name: string, change: (json: string) => string): string {
  const members = membersOf(json);
  const member = members.get(name);
  return member === undefined ? json : writeObject(members.set(name, change(member)));
}

/**
 * Searches the text, since most results have no links, and this is faster than parsing. A link may be written with
 * escapes.
 */
const linksResources = ({ json }: UpstreamResult, { naming }: Delivery): boolean =>
  naming.isChanging && (json.includes('"resource') || json.includes('\\u00'));

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
      [PROBLEM_KEY]: problemMembers(problem),
      ...(callId !== undefined && { [CALL_ID_KEY]: callId }),
      ...meta,
    },
  });

/** Adds the connector to resources, and to links to them, so that an agent can read them at `/mcp`. */
function renameBlock(block: unknown, json: string, to: Delivery): string {
  if (!isObject(block)) return json;
  if (block.type === 'resource_link') return rename(block, json, to);
  if (block.type === 'resource') return changed(json, 'resource', (own) => rename(block.resource, own, to));
  return json;
}

function rename(value: unknown, json: string, { connector, naming }: Delivery): string {
  const uri = isObject(value) ? value.uri : undefined;
  if (typeof uri !== 'string') return json;
  return changed(json, 'uri', () => JSON.stringify(naming.uriFor(connector, uri)));
}
