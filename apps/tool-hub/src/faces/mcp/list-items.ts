import type { ActsAs } from '@legate/delegation';
import {
  isDeeperThan,
  isObject,
  type JsonMembers,
  type ListKind,
  membersOf,
  writeObject,
} from '@legate/mcp-client';
import { PromptSchema, ResourceSchema, ResourceTemplateSchema, ToolSchema } from '@modelcontextprotocol/core';
import type { ListItem } from '../../calls/list-item.ts';
import type { ServerList } from '../../calls/list-pages.ts';
import { APPROVAL_KEY, saysReadOnly, type ToolApproval } from '../../domain/approval.ts';
import { metaWith } from '../../domain/our-keys.ts';
import type { Era } from './agent-request.ts';
import { actsAsMeta, TOOL_KEY } from './results.ts';

/** One item of a tool server's list, validated and serialized except for its name. */
export interface ItemText {
  /** The name at the tool server; undefined for an invalid name, which may be of any type and size */
  readonly name: string | undefined;
  /**
   * The JSON after its name, for agents of each era; undefined if the item would make a client refuse the whole list
   */
  readonly rest: Readonly<Record<Era, string>> | undefined;
  /** `rest` at `/mcp` with all connectors; only for a tool with an app page (MCP Apps, `ui.resourceUri`) */
  readonly restAtAll?: Readonly<Record<Era, string>> | undefined;
  /** True for a tool that declares itself read-only */
  readonly isReadOnly: boolean;
}

const MAX_DEPTH = 64;

const KINDS = {
  tools: { member: 'name', schema: ToolSchema },
  resources: { member: 'uri', schema: ResourceSchema },
  resourceTemplates: { member: 'uriTemplate', schema: ResourceTemplateSchema },
  prompts: { member: 'name', schema: PromptSchema },
} as const;

/**
 * Serializes items. The result does not depend on the agent or on the path, except for the names of the items.
 * @param uriAtAll returns the URI at `/mcp` for a URI of the list
 */
export function toItemTexts(
  kind: ListKind,
  { items, refused, actsAs }: Pick<ServerList, 'items' | 'refused' | 'actsAs'>,
  uriAtAll: (uri: string) => string,
): readonly ItemText[] {
  const { member, schema } = KINDS[kind];
  const names = new Set<string>();
  return items.map((item) => {
    const { value } = item;
    const name = nameOf(value[member]);
    // Of several items with one name only the first is listed; the tool server decides which one a call reaches.
    const isUsable =
      name !== undefined &&
      name !== '' &&
      !names.has(name) &&
      !refused.has(item) &&
      !isDeeperThan(value, MAX_DEPTH) &&
      schema.safeParse(value).success;
    if (isUsable) names.add(name);
    const rest = isUsable ? restsOf(item, member, actsAs) : undefined;
    const isReadOnly = kind === 'tools' && saysReadOnly(value);
    const renamed = isUsable && kind === 'tools' ? withUiRenamed(item, uriAtAll) : undefined;
    if (!renamed) return { name, rest, isReadOnly };
    return { name, rest, restAtAll: restsOf(renamed, member, actsAs), isReadOnly };
  });
}

/** Values that a cached list does not contain, because they depend on the agent or on the path */
export interface ItemMeta {
  /** Annotation from this agent's binding */
  readonly approval: ToolApproval | undefined;
  /** A renamed item's connector and own name, at `/mcp` with all connectors */
  readonly origin:
    | { readonly connector_id: string; readonly slug: string; readonly name: string }
    | undefined;
}

/** @param name as shown to the agent */
export function writeItem(
  kind: ListKind,
  name: string,
  rest: string,
  { approval, origin }: ItemMeta,
): string {
  const members = [
    ...(origin ? [`"${TOOL_KEY}":${JSON.stringify(origin)}`] : []),
    ...(approval ? [`"${APPROVAL_KEY}":"${approval}"`] : []),
  ].join(',');
  return `{"${KINDS[kind].member}":${JSON.stringify(name)}${members === '' ? rest : withMeta(rest, members)}`;
}

/** Prefix of the output of `toRest` with `_meta`; a later `_meta` within an item must not be mistaken for it. */
const META_FIRST = ',"_meta":{';

function withMeta(rest: string, members: string): string {
  if (!rest.startsWith(META_FIRST)) return `${META_FIRST}${members}}${rest}`;
  const others = rest.slice(META_FIRST.length);
  return `${META_FIRST}${members}${/^\s*}/.test(others) ? '' : ','}${others}`;
}

function restsOf({ value, json }: ListItem, member: string, actsAs: ActsAs): Readonly<Record<Era, string>> {
  const others = membersOf(json);
  const meta = metaWith(others.get('_meta'), actsAsMeta(actsAs));
  others.delete(member);
  others.delete('_meta');
  const modern = toRest(others, meta);
  // Before 2026-07-28 output schemas describe only objects, so the schema of another value is wrapped like the value.
  const { outputSchema } = value;
  const isKnown = outputSchema === undefined || (isObject(outputSchema) && outputSchema.type === 'object');
  if (isKnown) return { modern, legacy: modern };
  others.delete('outputSchema');
  return { modern, legacy: toRest(others, meta) };
}

/**
 * Writes `_meta` first. The copy may be cached for long, and must not keep the whole response of its tool server in
 * memory.
 */
function toRest(others: JsonMembers, meta: string | undefined): string {
  const members = meta === undefined ? '' : `,"_meta":${meta}`;
  const text = writeObject(others);
  return copyOf(`${members}${text === '{}' ? '}' : `,${text.slice(1)}`}`);
}

/** Copies the text: a substring would keep the whole string in memory. */
const copyOf = (text: string): string => Buffer.from(text).toString();

/**
 * Returns the tool with its page renamed for `/mcp` with all connectors; undefined if it has none.
 * @see MCP Apps (SEP-1865), "Resource discovery"; `ui/resourceUri` is the older form
 */
function withUiRenamed({ value, json }: ListItem, rename: (uri: string) => string): ListItem | undefined {
  const { _meta: meta } = value;
  if (!isObject(meta)) return undefined;
  const { ui, [OLDER_UI_KEY]: older } = meta;
  const page = isObject(ui) && typeof ui.resourceUri === 'string' ? ui.resourceUri : undefined;
  if (page === undefined && typeof older !== 'string') return undefined;
  const written = membersOf(json);
  const renamed = membersOf(written.get('_meta') ?? '');
  if (page !== undefined) {
    const own = membersOf(renamed.get('ui') ?? '');
    renamed.set('ui', writeObject(own.set('resourceUri', JSON.stringify(rename(page)))));
  }
  if (typeof older === 'string') renamed.set(OLDER_UI_KEY, JSON.stringify(rename(older)));
  return { value, json: writeObject(written.set('_meta', writeObject(renamed))) };
}

const OLDER_UI_KEY = 'ui/resourceUri';

const nameOf = (value: unknown): string | undefined => (typeof value === 'string' ? value : undefined);
