import { membersOf, writeObject } from '@legate/mcp-client';
import { APPROVAL_KEY, approvalOf, saysReadOnly } from '../domain/approval.ts';
import type { Caller } from '../domain/caller.ts';
import type { Connector } from '../domain/connector.ts';
import { listedName } from '../domain/listed-name.ts';
import { metaWith } from '../domain/our-keys.ts';
import type { Presence } from '../domain/presence.ts';
import { toolServerError } from '../refusals/tool-server-problems.ts';
import type { ListItem } from './list-item.ts';
import type { ListOf } from './list-pages.ts';

export type ListTools = ReturnType<typeof createListTools>;

/**
 * Lists a connector's tools for an application, as the tool server describes them to this caller. The description is
 * not trusted. It is unchanged except for what the hub adds: `mcp_name`, the tool's name at `/mcp` with all connectors,
 * and keys of `_meta`, which tell an agent's host whether to ask its user first.
 */
export const createListTools =
  (listOf: ListOf) =>
  /**
   * @param deadline in milliseconds on the scale of `performance.now()`
   * @throws {Problem}
   */
  async (caller: Caller, connector: Connector, deadline: number, presence?: Presence) => {
    const { items, isCut, actsAs } = await listOf(caller, connector, 'tools', { deadline, presence });
    // A truncated list would look as if the other tools did not exist.
    if (isCut) throw toolServerError('its list of tools is too long', connector);
    const taken = new Set<string>();
    const tools = items.flatMap((item): ListedTool[] => {
      const { name } = item.value;
      return typeof name === 'string' && name !== '' ? [{ name, json: toText(connector, item, taken) }] : [];
    });
    return { tools, actsAs };
  };

/** A tool as an application receives it */
export interface ListedTool {
  readonly name: string;
  readonly json: string;
}

/**
 * @param taken names at `/mcp` so far: of two tools with the same name, only the first gets it, and calls with that
 * name run the first
 */
function toText(connector: Connector, { value, json }: ListItem, taken: Set<string>): string {
  const tool = membersOf(json);
  const listed = listedName(connector, value.name);
  tool.delete('mcp_name');
  if (listed !== undefined && !taken.has(listed)) tool.set('mcp_name', JSON.stringify(listed));
  if (listed !== undefined) taken.add(listed);
  const approval = approvalOf(connector, { isReadOnly: saysReadOnly(value) });
  const added = approval && new Map([[APPROVAL_KEY, JSON.stringify(approval)]]);
  const meta = metaWith(tool.get('_meta'), added);
  return writeObject(meta === undefined ? tool : tool.set('_meta', meta));
}
