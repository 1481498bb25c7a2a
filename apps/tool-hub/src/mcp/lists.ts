import { type Logger, Problem } from '@legate/service';
import { PromptSchema, ResourceSchema, ResourceTemplateSchema, ToolSchema } from '@modelcontextprotocol/core';
import pLimit from 'p-limit';
import type { Caller } from '../caller/caller.ts';
import type { Presence } from '../caller/presence.ts';
import type { Connector } from '../connectors/connector.ts';
import { isDeeperThan } from '../connectors/json-depth.ts';
import type { ActsAs } from '../delegation/delegation.ts';
import { toolServerUnavailable } from '../delegation/problems.ts';
import { INVALID_PARAMS } from '../upstream/json-rpc.ts';
import { LISTS, type Listed, type ListKind, type ListOf } from '../upstream/list-pages.ts';
import type { Door } from './door.ts';
import type { Era } from './message.ts';
import { LEFT_OUT_KEY, metaOf } from './results.ts';
import { fromProblem, RpcError } from './rpc-error.ts';

/** What an agent does not see, and why; in `_meta` of the list. */
interface LeftOut {
  readonly connector_id: string;
  /** Of our problem details, or one of those below */
  readonly code: string;
  /** How many items; without it, all of the connector's. */
  readonly count?: number;
}

interface Part {
  readonly connectorId: string;
  /** JSON of each item */
  readonly items: readonly string[];
  readonly ttlMs: number;
  readonly leftOut: readonly LeftOut[];
  readonly problem?: Problem;
}

/** Connectors in one page of ours; an agent with more asks again. */
const PAGE_SIZE = 25;
const PARALLEL = 8;
const MAX_ITEMS = 1000;
/** Characters of one page */
const MAX_LENGTH = 8_388_608;
const MAX_DEPTH = 64;
/** Milliseconds: as long as it may take until an agent sees what an administrator changed. */
const MAX_TTL_MS = 60_000;

const SCHEMAS = {
  tools: ToolSchema,
  resources: ResourceSchema,
  resourceTemplates: ResourceTemplateSchema,
  prompts: PromptSchema,
} as const;

/** @returns the list as text of a JSON-RPC result */
export type AgentList = (request: {
  caller: Caller;
  door: Door;
  kind: ListKind;
  cursor: unknown;
  era: Era;
  presence: Presence;
}) => Promise<string>;

/**
 * One list of what all connectors of a door have, in the order of their ids. A connector that fails, or is too slow, is
 * left out, and so is each item that could make a client refuse the whole.
 * @param deps.timeoutMs for each connector
 */
export function createAgentList(deps: { listOf: ListOf; timeoutMs: number; log: Logger }): AgentList {
  const { listOf, timeoutMs, log } = deps;

  async function partOf(
    connector: Connector,
    { caller, door, kind, era, presence }: Parameters<AgentList>[0],
  ): Promise<Part> {
    const deadline = performance.now() + timeoutMs;
    const listing = listOf(caller, connector, kind, { deadline, presence });
    const listed = await within(timeoutMs, listing, connector).catch((err: unknown) => {
      if (err instanceof Problem) return err;
      log.error({ err, connector_id: connector.id }, 'list failed');
      return new Problem(500, 'internal_error', 'Internal error');
    });
    if (listed instanceof Problem) {
      const leftOut = [{ connector_id: connector.id, code: listed.code }];
      return { connectorId: connector.id, items: [], ttlMs: 0, leftOut, problem: listed };
    }
    return toPart(connector, listed, { door, kind, era });
  }

  return async (request) => {
    const { door, kind, era, cursor } = request;
    const after = readCursor(cursor);
    const ids = [...door.connectors.keys()].filter((id) => after === undefined || id > after).sort();
    const page = ids.slice(0, PAGE_SIZE).flatMap((id) => door.connectors.get(id) ?? []);
    const limit = pLimit(PARALLEL);
    const parts = await Promise.all(page.map((connector) => limit(() => partOf(connector, request))));

    const problems = parts.flatMap(({ problem }) => problem ?? []);
    const [first] = problems;
    if (first && problems.length === parts.length && (door.isSingle || problems.every(isSignIn)))
      throw isSignIn(first) ? first : fromProblem(first);
    const faults = after === undefined ? [...door.faults] : [];
    const leftOut: LeftOut[] = faults.map((id) => ({ connector_id: id, code: 'connector_misconfigured' }));
    return write(kind, era, bounded(parts), leftOut, ids.length > PAGE_SIZE ? page.at(-1) : undefined);
  };
}

const isSignIn = ({ status }: Problem): boolean => status === 401;

/** A delegation has time limits of its own, and goes on for whoever asks next: only this list no longer waits for it. */
async function within(timeoutMs: number, listing: Promise<Listed>, connector: Connector): Promise<Listed> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_resolve, reject) => {
    const problem = toolServerUnavailable('it did not answer in time', connector);
    timer = setTimeout(() => reject(problem), timeoutMs);
  });
  return Promise.race([listing, late]).finally(() => clearTimeout(timer));
}

function toPart(
  connector: Connector,
  listed: Listed,
  { door, kind, era }: { door: Door; kind: ListKind; era: Era },
): Part {
  const items = new Map<string, string>();
  let unusable = listed.refused;
  for (const item of listed.items.slice(0, MAX_ITEMS)) {
    const renamed = rename(item, connector, door, kind);
    // The first one of a name counts: which one a call would reach is the tool server's business.
    if (!renamed || items.has(renamed.key) || isDeeperThan(item, MAX_DEPTH)) unusable += 1;
    else if (!SCHEMAS[kind].safeParse(item).success) unusable += 1;
    else items.set(renamed.key, JSON.stringify(toWire(renamed.item, listed.actsAs, era)));
  }
  const about = { connector_id: connector.id };
  const isCut = listed.isCut || listed.items.length > MAX_ITEMS;
  return {
    connectorId: connector.id,
    items: [...items.values()],
    ttlMs: Math.min(listed.ttlMs, MAX_TTL_MS),
    leftOut: [
      ...(unusable > 0 ? [{ ...about, code: 'items_unusable', count: unusable }] : []),
      ...(isCut ? [{ ...about, code: 'list_too_long' }] : []),
    ],
  };
}

type Item = Readonly<Record<string, unknown>>;

function rename(
  item: Item,
  connector: Connector,
  { naming }: Door,
  kind: ListKind,
): { key: string; item: Item } | undefined {
  if (kind === 'resources' || kind === 'resourceTemplates') {
    const member = kind === 'resources' ? 'uri' : 'uriTemplate';
    const uri = item[member];
    if (typeof uri !== 'string' || uri === '') return undefined;
    return { key: uri, item: { ...item, [member]: naming.uriFor(connector, uri) } };
  }
  const name = naming.nameFor(connector, item.name);
  return name === undefined ? undefined : { key: name, item: { ...item, name } };
}

function toWire(item: Item, actsAs: ActsAs, era: Era): Item {
  const meta = metaOf(item, actsAs);
  const own = meta === item._meta ? item : { ...item, _meta: meta };
  return era === 'legacy' ? toLegacy(own) : own;
}

/** Before 2026-07-28 results are described by schemas of objects only; results themselves are then wrapped. */
function toLegacy(item: Item): Item {
  const { outputSchema, ...others } = item;
  const isObjectSchema =
    typeof outputSchema === 'object' &&
    outputSchema !== null &&
    'type' in outputSchema &&
    outputSchema.type === 'object';
  return outputSchema === undefined || isObjectSchema ? item : others;
}

/** Whole connectors, as far as they fit: the first in order come first. */
function bounded(parts: readonly Part[]): readonly Part[] {
  let length = 0;
  return parts.map((part) => {
    const { connectorId, items } = part;
    const own = items.reduce((sum, item) => sum + item.length + 1, 0);
    if (length + own > MAX_LENGTH)
      return {
        connectorId,
        items: [],
        ttlMs: 0,
        leftOut: [{ connector_id: connectorId, code: 'list_too_long' }],
      };
    length += own;
    return part;
  });
}

function write(
  kind: ListKind,
  era: Era,
  parts: readonly Part[],
  faults: readonly LeftOut[],
  last: Connector | undefined,
): string {
  const leftOut = [...faults, ...parts.flatMap((part) => part.leftOut)];
  const ttlMs = Math.min(MAX_TTL_MS, ...parts.map((part) => part.ttlMs));
  const others = {
    ...(last && { nextCursor: writeCursor(last.id) }),
    ...(era === 'modern' && { resultType: 'complete', ttlMs, cacheScope: 'private' }),
    _meta: { [LEFT_OUT_KEY]: leftOut },
  };
  const items = parts.flatMap((part) => part.items).join(',');
  return `{"${LISTS[kind].member}":[${items}],${JSON.stringify(others).slice(1)}`;
}

/** A page goes on behind the connector that it names, whatever has been added or removed meanwhile. */
const writeCursor = (connectorId: string): string => Buffer.from(`1:${connectorId}`).toString('base64url');

function readCursor(cursor: unknown): string | undefined {
  if (cursor === undefined) return undefined;
  const text = typeof cursor === 'string' ? Buffer.from(cursor, 'base64url').toString('latin1') : '';
  const id = /^1:([A-Za-z0-9_.-]{1,128})$/.exec(text)?.[1];
  if (id === undefined) throw new RpcError(INVALID_PARAMS, 'Invalid params: this is no cursor of ours');
  return id;
}
