import type { Legate } from '../client.ts';
import type { ToolList } from '../tool.ts';
import type { Json } from '../wire.ts';
import { describeCall } from './approval.ts';

export interface ListedTools extends ToolList {
  /** Describes a call to the person who is asked. For a tool that is not in the list, the description is its name. */
  describe(toolName: string, args: Json): string;
}

/** Lists the user's tools for an adapter. */
export async function listTools(
  legate: Legate,
  { signal }: { readonly signal?: AbortSignal },
): Promise<ListedTools> {
  const list = await legate.tools({ ...(signal && { signal }) });
  const byName = new Map(list.tools.map((tool) => [tool.name, tool]));
  return {
    ...list,
    describe(toolName, args) {
      const tool = byName.get(toolName);
      return tool ? describeCall(legate, tool, args) : toolName;
    },
  };
}
