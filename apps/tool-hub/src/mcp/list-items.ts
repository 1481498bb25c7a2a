import { PromptSchema, ResourceSchema, ResourceTemplateSchema, ToolSchema } from '@modelcontextprotocol/core';
import { isDeeperThan } from '../connectors/json-depth.ts';
import type { ActsAs } from '../delegation/delegation.ts';
import type { ListItem, ListKind, ServerList } from '../upstream/list-pages.ts';
import type { Era } from './message.ts';
import { metaOf } from './results.ts';

/** One item of a tool server's list, as agents are told of it: judged, and written but for what it is called. */
export interface ItemText {
  /** What it is called at its tool server; undefined for what is no name, which may be anything and of any size */
  readonly name: string | undefined;
  /** What follows its name in JSON, for agents of each era; undefined: it would make a client refuse the whole list. */
  readonly rest: Readonly<Record<Era, string>> | undefined;
}

const MAX_DEPTH = 64;

const KINDS = {
  tools: { member: 'name', schema: ToolSchema },
  resources: { member: 'uri', schema: ResourceSchema },
  resourceTemplates: { member: 'uriTemplate', schema: ResourceTemplateSchema },
  prompts: { member: 'name', schema: PromptSchema },
} as const;

/** Nothing in what it makes depends on the agent or on the door, but for what the items are called there. */
export function toItemTexts(
  kind: ListKind,
  { items, refused, actsAs }: Pick<ServerList, 'items' | 'refused' | 'actsAs'>,
): readonly ItemText[] {
  const { member, schema } = KINDS[kind];
  const names = new Set<string>();
  return items.map((item) => {
    const name = nameOf(item[member]);
    // The first one of a name counts: which one a call would reach is the tool server's business.
    const isUsable =
      name !== undefined &&
      name !== '' &&
      !names.has(name) &&
      !refused.has(item) &&
      !isDeeperThan(item, MAX_DEPTH) &&
      schema.safeParse(item).success;
    if (isUsable) names.add(name);
    return { name, rest: isUsable ? restsOf(item, member, actsAs) : undefined };
  });
}

/** @param name as it is called at the agent's door */
export const writeItem = (kind: ListKind, name: string, rest: string): string =>
  `{"${KINDS[kind].member}":${JSON.stringify(name)}${rest}`;

function restsOf(item: ListItem, member: string, actsAs: ActsAs): Readonly<Record<Era, string>> {
  const { [member]: _name, ...others } = item;
  const meta = metaOf(others, actsAs);
  const modern = meta === others._meta ? others : { ...others, _meta: meta };
  const legacy = toLegacy(modern);
  const rest = toRest(modern);
  return { modern: rest, legacy: legacy === modern ? rest : toRest(legacy) };
}

function toRest(others: ListItem): string {
  const text = JSON.stringify(others);
  return text === '{}' ? '}' : `,${text.slice(1)}`;
}

const nameOf = (value: unknown): string | undefined => (typeof value === 'string' ? value : undefined);

/** Before 2026-07-28 results are described by schemas of objects only; results themselves are then wrapped. */
function toLegacy(item: ListItem): ListItem {
  const { outputSchema, ...others } = item;
  const isObjectSchema =
    typeof outputSchema === 'object' &&
    outputSchema !== null &&
    'type' in outputSchema &&
    outputSchema.type === 'object';
  return outputSchema === undefined || isObjectSchema ? item : others;
}
