import { type ActsAs, actsAs, type Credential } from '@legate/delegation';
import {
  type ClientExtensions,
  isDeeperThan,
  itemsOf,
  type KnownParamHeaders,
  LISTS,
  type ListKind,
  type McpRequest,
  METHOD_NOT_FOUND,
  membersOf,
  NO_AGENT,
  readParamHeaders,
} from '@legate/mcp-client';
import { parsedJsonBytes } from '@legate/service';
import type { Caller } from '../domain/caller.ts';
import { type Connector, isBound } from '../domain/connector.ts';
import { isSame } from '../domain/credential-identity.ts';
import { isServed } from '../domain/served.ts';
import { hubBusy } from '../refusals/limit-problems.ts';
import { toolServerError, toolServerProblem } from '../refusals/tool-server-problems.ts';
import type { Granted, SendAsCaller, SendOptions } from './call-tool.ts';
import { type ListItem, toListItem } from './list-item.ts';

/** A tool server's list, as seen with one credential. */
export interface ServerList {
  /** Items as the tool server wrote them, without members that are null. Untrusted. */
  readonly items: readonly ListItem[];
  /** Tools that must not be offered, because their `x-mcp-header` is invalid or cannot be checked */
  readonly refused: ReadonlySet<ListItem>;
  /** Epoch milliseconds until which the list is fresh: the earliest time of its pages; infinite if there is no list */
  readonly freshUntilMs: number;
  /** True if the list was truncated at our limits. */
  readonly isCut: boolean;
  /** The credential of all pages; undefined if the pages had different ones, or nothing was requested. */
  readonly credential: Credential | undefined;
  readonly actsAs: ActsAs;
  /** Bytes that the caller's memory hold counts for the items; release them when the items are dropped */
  readonly heldBytes: number;
}

export interface ListOptions extends SendOptions {
  /** The agent's extensions: a tool server may list other items for a client that has them. */
  readonly extensions?: ClientExtensions | undefined;
}

/**
 * Reads a list completely, or up to our limits. If the server has no such list, the list is empty.
 * @param options.recall as in `SendAsCaller`: returns the cached list for this credential
 * @throws {Problem}
 */
export type ReadList = <Known extends object = never>(
  caller: Caller,
  connector: Connector,
  kind: ListKind,
  options: ListOptions & { readonly recall?: ((granted: Granted) => Known | undefined) | undefined },
) => Promise<ServerList | Known>;

/** Maximum milliseconds that a list may be cached, which is also the longest time until an agent sees a change. */
export const MAX_TTL_MS = 60_000;

const MAX_PAGES = 20;
/** Bytes of an item in addition to its parsed form: the position of its text in the response, and an object for both */
const ITEM_BYTES = 64;
const MAX_DEPTH = 64;
const EMPTY: ServerList = {
  items: [],
  refused: new Set(),
  freshUntilMs: Number.POSITIVE_INFINITY,
  isCut: false,
  credential: undefined,
  actsAs: 'user',
  heldBytes: 0,
};

export function createReadList(deps: {
  send: SendAsCaller;
  known: KnownParamHeaders;
  maxBytes: number;
  /** Called with the names in a list of tools. */
  onListed: (connector: Connector, names: readonly unknown[]) => void;
  clock: () => Date;
}): ReadList {
  const { send, known, maxBytes, onListed, clock } = deps;

  return async (caller, connector, kind, options) => {
    const { method, member } = LISTS[kind];
    // An agent bound to single tools may use no prompts or resources.
    if (kind !== 'tools' && connector.binding?.tools) return EMPTY;
    const { recall, ...unread } = options;
    const agent = options.extensions && { ...NO_AGENT, extensions: options.extensions };
    const items: ListItem[] = [];
    let freshUntilMs = Number.POSITIVE_INFINITY;
    let bytes = 0;
    let heldBytes = 0;
    let cursor: string | undefined;
    let pages = 0;
    let credential: Credential | undefined;
    let isOfOne = true;
    let as: ActsAs = 'user';
    do {
      const params = JSON.stringify({ cursor });
      const request: McpRequest = agent ? { method, params, agent } : { method, params };
      const served = await send(caller, connector, request, pages === 0 ? options : unread);
      if (!isServed(served)) return served;
      const { answer } = served;
      if (answer.kind === 'error' && answer.code === METHOD_NOT_FOUND && kind !== 'tools' && pages === 0)
        return EMPTY;
      if (answer.kind !== 'result') throw toolServerProblem(answer, connector);
      const page = pageOf(answer.result[member]);
      if (!page) throw toolServerError('its list is malformed', connector);
      const pageBytes = parsedJsonBytes(Buffer.from(answer.json)) + page.length * ITEM_BYTES;
      if (caller.memory && !caller.memory.take(pageBytes)) throw hubBusy();
      heldBytes += pageBytes;
      const texts = itemsOf(membersOf(answer.json).get(member) ?? '');
      // Spreading a hundred thousand items as arguments of one call would overflow the stack.
      for (const [index, text] of texts.entries()) items.push(toListItem(page[index], text));
      bytes += answer.json.length;
      pages += 1;
      as = actsAs(served.credential);
      isOfOne &&= credential === undefined || isSame(credential, served.credential);
      credential = served.credential;
      freshUntilMs = Math.min(freshUntilMs, clock().getTime() + ttlOf(answer.result.ttlMs));
      cursor = cursorOf(answer.result.nextCursor);
    } while (cursor !== undefined && pages < MAX_PAGES && bytes < maxBytes);

    if (kind === 'tools')
      onListed(
        connector,
        items.map(({ value }) => value.name),
      );
    return {
      items,
      refused: new Set(kind === 'tools' ? items.filter(({ value }) => !learn(connector, value)) : []),
      freshUntilMs,
      isCut: cursor !== undefined,
      credential: isOfOne ? credential : undefined,
      actsAs: as,
      heldBytes,
    };
  };

  function learn(connector: Connector, tool: ListItem['value']): boolean {
    const declared = isDeeperThan(tool, MAX_DEPTH) ? undefined : readParamHeaders(tool.inputSchema);
    if (declared && typeof tool.name === 'string') known.learn(connector, tool.name, declared);
    return declared !== undefined;
  }
}

/** Returns undefined for a value that is not a list. Some languages write an empty list as null. */
const pageOf = (value: unknown): readonly unknown[] | undefined =>
  value === null ? [] : Array.isArray(value) ? value : undefined;

const cursorOf = (value: unknown): string | undefined =>
  typeof value === 'string' && value !== '' ? value : undefined;

/** Returns the time to live of a list. Its `cacheScope` is ignored, because lists are never shared between users. */
const ttlOf = (value: unknown): number =>
  typeof value === 'number' && value > 0 ? Math.min(Math.floor(value), MAX_TTL_MS) : 0;

export type ListOf = ReturnType<typeof createListOf>;

/**
 * Returns the part of a list that an application may use. The API cannot express how long a list is fresh, so the tool
 * server is always asked.
 */
export const createListOf =
  (readList: ReadList) =>
  /** @throws {Problem} */
  async (caller: Caller, connector: Connector, kind: ListKind, options: ListOptions) => {
    const { items, refused, isCut, actsAs: as } = await readList(caller, connector, kind, options);
    if (kind !== 'tools') return { items, isCut, actsAs: as };
    const own = items.filter((tool) => isBound(connector, tool.value.name) && !refused.has(tool));
    return { items: own, isCut, actsAs: as };
  };
