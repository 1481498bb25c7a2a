import { encodeHeaderValue, type ParamHeader, paramValuesOf } from '@legate/mcp-wire';
import { LRUCache } from 'lru-cache';

/** Returns the headers that a tool requires: names, in lower case, and encoded values in turn. */
export const paramHeadersOf = (
  declared: readonly ParamHeader[],
  args: Readonly<Record<string, unknown>>,
): readonly string[] =>
  paramValuesOf(declared, args).flatMap(([header, value]) => [header, encodeHeaderValue(value)]);

/** Names a tool server as one organization uses it. */
export interface ToolServerName {
  readonly organizationId: string;
  readonly id: string;
}

/** Cache of the tools that require headers. Only an optimization: a tool called without them returns an error. */
export type KnownParamHeaders = ReturnType<typeof createKnownParamHeaders>;

const MAX_TOOLS = 10_000;
/** The maximum number of characters of all entries together, since tool servers choose the length of names. */
const MAX_LENGTH = 8_388_608;
const MAX_TOOL_LENGTH = 16_384;

export function createKnownParamHeaders() {
  const known = new LRUCache<string, readonly ParamHeader[]>({
    max: MAX_TOOLS,
    maxSize: MAX_LENGTH,
    maxEntrySize: MAX_TOOL_LENGTH,
    sizeCalculation: (declared, key) => key.length + lengthOf(declared),
  });
  const keyOf = ({ organizationId, id }: ToolServerName, tool: string): string =>
    JSON.stringify([organizationId, id, tool]);

  return {
    // Few tools require headers. If none is known, the key need not be computed.
    find: (server: ToolServerName, tool: string): readonly ParamHeader[] =>
      known.size === 0 ? [] : (known.get(keyOf(server, tool)) ?? []),
    learn(server: ToolServerName, tool: string, declared: readonly ParamHeader[]): void {
      const key = keyOf(server, tool);
      if (declared.length === 0) known.delete(key);
      else known.set(key, declared);
    },
  };
}

const lengthOf = (declared: readonly ParamHeader[]): number =>
  declared.reduce((sum, { name, path }) => sum + name.length + path.join('.').length, 0);
