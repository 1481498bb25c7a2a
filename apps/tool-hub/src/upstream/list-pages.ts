import type { Caller } from '../caller/caller.ts';
import { type Connector, isBound } from '../connectors/connector.ts';
import { isDeeperThan } from '../connectors/json-depth.ts';
import { type ActsAs, actsAs } from '../delegation/delegation.ts';
import { isObject, METHOD_NOT_FOUND } from './json-rpc.ts';
import type { McpRequest } from './mcp-request.ts';
import { type KnownParamHeaders, readParamHeaders } from './param-headers.ts';
import { toolServerError, toProblem } from './problems.ts';
import type { SendAsCaller, SendOptions } from './tool-servers.ts';

/** What a tool server has lists of: the method, and the member of its result. */
export const LISTS = {
  tools: { method: 'tools/list', member: 'tools' },
  resources: { method: 'resources/list', member: 'resources' },
  resourceTemplates: { method: 'resources/templates/list', member: 'resourceTemplates' },
  prompts: { method: 'prompts/list', member: 'prompts' },
} as const satisfies Record<string, { method: McpRequest['method']; member: string }>;
export type ListKind = keyof typeof LISTS;

export interface Listed {
  /** As the tool server wrote them: nothing in them is changed, and nothing in them is trusted. */
  readonly items: readonly Readonly<Record<string, unknown>>[];
  /** Milliseconds for which the server says that the list holds; 0 when it does not say, infinite when there is none */
  readonly ttlMs: number;
  /** There would have been more, beyond what we read. */
  readonly isCut: boolean;
  /** Tools that must not be offered: their `x-mcp-header` breaks the rules, or nobody can tell */
  readonly refused: number;
  /** Whose list it is */
  readonly actsAs: ActsAs;
}

/** @throws {Problem} */
export type ListOf = (
  caller: Caller,
  connector: Connector,
  kind: ListKind,
  options: SendOptions,
) => Promise<Listed>;

const MAX_PAGES = 20;
const MAX_DEPTH = 64;
const EMPTY: Listed = {
  items: [],
  ttlMs: Number.POSITIVE_INFINITY,
  isCut: false,
  refused: 0,
  actsAs: 'user',
};

/** Reads a list to its end, or to our bounds. A server without such a list has an empty one. */
export function createListOf(deps: {
  send: SendAsCaller;
  known: KnownParamHeaders;
  maxBytes: number;
}): ListOf {
  const { send, known, maxBytes } = deps;

  return async (caller, connector, kind, options) => {
    const { method, member } = LISTS[kind];
    // Whoever is bound to single tools has these, and nothing else.
    if (kind !== 'tools' && connector.binding?.tools) return EMPTY;
    const items: Record<string, unknown>[] = [];
    let ttlMs = Number.POSITIVE_INFINITY;
    let bytes = 0;
    let cursor: string | undefined;
    let pages = 0;
    let as: ActsAs = 'user';
    do {
      const params = cursor === undefined ? {} : { cursor };
      const { answer, credential } = await send(caller, connector, { method, params }, options);
      if (answer.kind === 'error' && answer.code === METHOD_NOT_FOUND && kind !== 'tools' && pages === 0)
        return EMPTY;
      if (answer.kind !== 'result') throw toProblem(answer, connector);
      const page = answer.result[member];
      if (!isListOfObjects(page)) throw toolServerError('its list is malformed', connector);
      items.push(...page);
      bytes += answer.json.length;
      pages += 1;
      as = actsAs(credential);
      ttlMs = Math.min(ttlMs, ttlOf(answer.result.ttlMs));
      cursor = typeof answer.result.nextCursor === 'string' ? answer.result.nextCursor : undefined;
    } while (cursor !== undefined && pages < MAX_PAGES && bytes < maxBytes);

    const own = kind === 'tools' ? items.filter(({ name }) => isBound(connector, name)) : items;
    const usable = kind === 'tools' ? own.filter((tool) => learn(connector, tool)) : own;
    const refused = own.length - usable.length;
    return { items: usable, ttlMs, isCut: cursor !== undefined, refused, actsAs: as };
  };

  function learn(connector: Connector, tool: Record<string, unknown>): boolean {
    const declared = isDeeperThan(tool, MAX_DEPTH) ? undefined : readParamHeaders(tool.inputSchema);
    if (declared && typeof tool.name === 'string') known.learn(connector, tool.name, declared);
    return declared !== undefined;
  }
}

const isListOfObjects = (value: unknown): value is Record<string, unknown>[] =>
  Array.isArray(value) && value.every(isObject);

const ttlOf = (value: unknown): number => (typeof value === 'number' && value > 0 ? Math.floor(value) : 0);
