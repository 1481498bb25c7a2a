import type { ClientExtensions, ListKind } from '@legate/mcp-client';
import { type Logger, Problem } from '@legate/service';
import pLimit from 'p-limit';
import type { ReadList, ServerList } from '../../calls/list-pages.ts';
import { approvalOf } from '../../domain/approval.ts';
import type { Caller } from '../../domain/caller.ts';
import { type Connector, isBound } from '../../domain/connector.ts';
import { slugOf } from '../../domain/listed-name.ts';
import type { Presence } from '../../domain/presence.ts';
import { problem } from '../../domain/problem-codes.ts';
import { fromProblem } from '../../refusals/rpc-error.ts';
import type { Era } from './agent-request.ts';
import { readCursor } from './list-cursor.ts';
import { type ItemText, toItemTexts, writeItem } from './list-items.ts';
import type { KeptList, ListMemory, ListPlace } from './list-memory.ts';
import { bounded, type LeftOut, type Part, writeList } from './list-parts.ts';
import type { McpEndpoint } from './mcp-endpoint.ts';
import { prefixedUri } from './names.ts';
import { within } from './within.ts';

/** Maximum connectors in one page; an agent with more gets further pages */
const PAGE_SIZE = 25;
const PARALLEL = 8;
const MAX_ITEMS = 1000;

/** An agent's request for a list */
export interface ListRequest {
  readonly caller: Caller;
  readonly endpoint: McpEndpoint;
  readonly kind: ListKind;
  readonly era: Era;
  readonly extensions: ClientExtensions | undefined;
  readonly presence: Presence;
}

export interface AgentLists {
  /** @returns text of a JSON-RPC result */
  write(request: ListRequest & { readonly cursor: unknown }): Promise<string>;
  /**
   * Finds the tool server's name of an item of one connector.
   * @param listed name that the list shows
   * @throws {Problem}
   */
  findName(connector: Connector, listed: string, request: ListRequest): Promise<string | undefined>;
}

/** A connector's list, the same for everyone with the same credential */
interface ConnectorList {
  readonly items: readonly ItemText[];
  readonly freshUntilMs: number;
  readonly isCut: boolean;
}

/**
 * A list of one kind with the items of all connectors, in the order of connector ids. A connector that fails or is too
 * slow is omitted, and so is each item that could make a client refuse the whole list.
 * @param deps.timeoutMs for each connector
 */
export function createAgentLists(deps: {
  readList: ReadList;
  memory: Pick<ListMemory, 'find' | 'keep'>;
  timeoutMs: number;
  clock: () => Date;
  log: Logger;
}): AgentLists {
  const { readList, memory, timeoutMs, clock, log } = deps;

  async function listOf(
    connector: Connector,
    { caller, kind, extensions, presence }: ListRequest,
  ): Promise<ConnectorList> {
    const place = { caller, connector, kind, extensions };
    const found = await readList(caller, connector, kind, {
      deadline: performance.now() + timeoutMs,
      presence,
      extensions,
      recall: (granted) => memory.find(place, granted),
    });
    if (!isRead(found)) return { ...found, isCut: false };
    try {
      return textsOf(place, found, presence);
    } finally {
      caller.memory?.give(found.heldBytes); // only the texts of its items stay in memory
    }
  }

  function textsOf(
    place: ListPlace & { readonly kind: ListKind },
    found: ServerList,
    presence: Presence,
  ): ConnectorList {
    const { connector, kind } = place;
    const { credential, freshUntilMs } = found;
    const isWhole = !found.isCut && found.items.length <= MAX_ITEMS;
    if (!isWhole || !credential || freshUntilMs <= clock().getTime()) return firstOf(found, connector, kind);
    const items = toItemTexts(kind, found, (uri) => prefixedUri(connector, uri));
    const list = { items, freshUntilMs };
    // Don't cache after a cancellation: the token may have been revoked.
    if (!presence.hasLeft) memory.keep(place, credential, list);
    return { ...list, isCut: false };
  }

  async function partOf(connector: Connector, request: ListRequest): Promise<Part> {
    const list = await within(timeoutMs, listOf(connector, request), connector).catch((err: unknown) => {
      if (err instanceof Problem) return err;
      log.error({ err, connector_id: connector.id }, 'list failed');
      return problem('internal_error');
    });
    if (!(list instanceof Problem)) return toPart(connector, list, request);
    const leftOut = [{ connector_id: connector.id, code: list.code }];
    return { connectorId: connector.id, items: [], freshUntilMs: 0, leftOut, problem: list };
  }

  return {
    async write(request) {
      const { endpoint, kind, era, cursor } = request;
      const after = readCursor(cursor);
      const ids = [...endpoint.connectors.keys()].filter((id) => after === undefined || id > after).sort();
      const page = ids.slice(0, PAGE_SIZE).flatMap((id) => endpoint.connectors.get(id) ?? []);
      const limit = pLimit(PARALLEL);
      const parts = await Promise.all(page.map((connector) => limit(() => partOf(connector, request))));

      const problems = parts.flatMap(({ problem }) => problem ?? []);
      const [first] = problems;
      if (first && problems.length === parts.length && (endpoint.isSingle || problems.every(isSignIn)))
        throw isSignIn(first) ? first : fromProblem(first);
      const faults = after === undefined ? [...endpoint.faults] : [];
      const leftOut: LeftOut[] = faults.map((id) => ({ connector_id: id, code: 'connector_misconfigured' }));
      const last = ids.length > PAGE_SIZE ? page.at(-1) : undefined;
      return writeList({ kind, era, nowMs: clock().getTime() }, bounded(parts), leftOut, last);
    },
    async findName(connector, listed, request) {
      const { items } = await within(timeoutMs, listOf(connector, request), connector);
      return items.find(({ name }) => request.endpoint.naming.nameFor(connector, name) === listed)?.name;
    },
  };
}

const isSignIn = ({ status }: Problem): boolean => status === 401;

const isRead = (list: KeptList | ServerList): list is ServerList => 'refused' in list;

/** Returns the part of an uncached list that may be shown, so that only that is serialized. */
function firstOf(list: ServerList, connector: Connector, kind: ListKind): ConnectorList {
  const own =
    kind === 'tools' ? list.items.filter(({ value }) => isBound(connector, value.name)) : list.items;
  const shown = { ...list, items: own.slice(0, MAX_ITEMS) };
  const items = toItemTexts(kind, shown, (uri) => prefixedUri(connector, uri));
  return { items, freshUntilMs: list.freshUntilMs, isCut: list.isCut || own.length > MAX_ITEMS };
}

/** Returns the items of a list that this agent may see, with the names of this path. */
function toPart(
  connector: Connector,
  { items, isCut, freshUntilMs }: ConnectorList,
  { endpoint, kind, era }: { endpoint: McpEndpoint; kind: ListKind; era: Era },
): Part {
  const texts = new Map<string, string>();
  let unusable = 0;
  for (const item of items) {
    const { name } = item;
    const rest = (endpoint.naming.isChanging && item.restAtAll) || item.rest;
    if (kind === 'tools' && !isBound(connector, name)) continue;
    const called = rest && nameAt(endpoint, connector, kind, name);
    // Of two items with one name the first is listed, as a call would find it.
    if (rest === undefined || called === undefined || texts.has(called)) unusable += 1;
    else {
      const approval = kind === 'tools' ? approvalOf(connector, item) : undefined;
      const origin = endpoint.naming.isChanging || called !== name ? originOf(connector, name) : undefined;
      texts.set(called, writeItem(kind, called, rest[era], { approval, origin }));
    }
  }
  const about = { connector_id: connector.id };
  return {
    connectorId: connector.id,
    items: [...texts.values()],
    freshUntilMs,
    leftOut: [
      ...(unusable > 0 ? [{ ...about, code: 'items_unusable', count: unusable }] : []),
      ...(isCut ? [{ ...about, code: 'list_too_long' }] : []),
    ],
  };
}

const originOf = (connector: Connector, name = '') => ({
  connector_id: connector.id,
  slug: slugOf(connector),
  name,
});

/** @returns undefined for an unusable name */
function nameAt(
  { naming }: McpEndpoint,
  connector: Connector,
  kind: ListKind,
  name: string | undefined,
): string | undefined {
  if (kind === 'tools' || kind === 'prompts') return naming.nameFor(connector, name);
  return name === undefined ? undefined : naming.uriFor(connector, name);
}
