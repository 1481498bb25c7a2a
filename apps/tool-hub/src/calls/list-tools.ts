import { isObject } from '@legate/mcp-client';
import { APPROVAL_KEY, approvalOf, saysReadOnly } from '../domain/approval.ts';
import type { Caller } from '../domain/caller.ts';
import type { Connector } from '../domain/connector.ts';
import { listedName } from '../domain/listed-name.ts';
import { withoutOurKeys } from '../domain/our-keys.ts';
import type { Presence } from '../domain/presence.ts';
import { toolServerError } from '../refusals/tool-server-problems.ts';
import type { ListItem } from './list-item.ts';
import type { ListOf } from './list-pages.ts';

export type ListTools = ReturnType<typeof createListTools>;

/**
 * Lists a connector's tools for an application, as the tool server describes them to this caller. Nothing in them is
 * trusted, and nothing is changed but what is the hub's own: `mcp_name`, the tool's name at `/mcp` with all connectors, and
 * keys of `_meta`: for an agent, whether its host is to ask its user first.
 */
export const createListTools =
  (listOf: ListOf) =>
  /**
   * @param deadline on `performance.now()`'s scale, in milliseconds
   * @throws {Problem}
   */
  async (caller: Caller, connector: Connector, deadline: number, presence?: Presence) => {
    const { items, isCut, actsAs } = await listOf(caller, connector, 'tools', { deadline, presence });
    // Half a list would say that the other half does not exist.
    if (isCut) throw toolServerError('its list of tools is too long', connector);
    const named = items.filter(({ name }) => typeof name === 'string' && name !== '');
    return { tools: withListedNames(connector, named).map((tool) => tellApproval(connector, tool)), actsAs };
  };

/** Only the first of two tools with one name at `/mcp` gets it: that is the one which is called by it. */
function withListedNames(connector: Connector, tools: readonly ListItem[]): readonly ListItem[] {
  const taken = new Set<string>();
  return tools.map(({ mcp_name: _theirs, ...tool }) => {
    const listed = listedName(connector, tool.name);
    if (listed === undefined || taken.has(listed)) return tool;
    taken.add(listed);
    return { ...tool, mcp_name: listed };
  });
}

function tellApproval(connector: Connector, tool: ListItem) {
  const approval = approvalOf(connector, { isReadOnly: saysReadOnly(tool) });
  const meta = withoutOurKeys(tool._meta);
  if (approval === undefined) return meta === tool._meta ? tool : { ...tool, _meta: meta };
  return { ...tool, _meta: { ...(isObject(meta) && meta), [APPROVAL_KEY]: approval } };
}
