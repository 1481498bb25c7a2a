import { isObject } from '@legate/mcp-client';
import { APPROVAL_KEY, approvalOf, saysReadOnly } from '../domain/approval.ts';
import type { Caller } from '../domain/caller.ts';
import type { Connector } from '../domain/connector.ts';
import { withoutOurKeys } from '../domain/our-keys.ts';
import type { Presence } from '../domain/presence.ts';
import { toolServerError } from '../refusals/tool-server-problems.ts';
import type { ListOf } from './list-pages.ts';

export type ListTools = ReturnType<typeof createListTools>;

/**
 * Lists a connector's tools for an application, as the tool server describes them to this caller. Nothing in them is
 * trusted, and nothing is changed but the hub's own keys of `_meta`: for an agent, whether its host is to ask its user first.
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
    if (items.some(({ name }) => typeof name !== 'string'))
      throw toolServerError('its list of tools is malformed', connector);
    return { tools: items.map((tool) => tellApproval(connector, tool)), actsAs };
  };

function tellApproval(connector: Connector, tool: Readonly<Record<string, unknown>>) {
  const approval = approvalOf(connector, { isReadOnly: saysReadOnly(tool) });
  const meta = withoutOurKeys(tool._meta);
  if (approval === undefined) return meta === tool._meta ? tool : { ...tool, _meta: meta };
  return { ...tool, _meta: { ...(isObject(meta) && meta), [APPROVAL_KEY]: approval } };
}
