import type { ConnectorId } from '@legate/ids';
import { LISTS, type ListKind } from '@legate/mcp-client';
import type { Problem } from '@legate/service';
import { MAX_TTL_MS } from '../../calls/list-pages.ts';
import type { Connector } from '../../domain/connector.ts';
import type { Era } from './agent-request.ts';
import { writeCursor } from './list-cursor.ts';
import { LEFT_OUT_KEY } from './results.ts';

/** Items that are omitted from an agent's list, and the reason; part of `_meta` of the list */
export interface LeftOut {
  readonly connector_id: string;
  /** A problem code, or one of the codes below */
  readonly code: string;
  /** Number of omitted items; absent: all items of the connector */
  readonly count?: number;
}

export interface Part {
  readonly connectorId: ConnectorId;
  /** JSON of each item */
  readonly items: readonly string[];
  /** Epoch milliseconds */
  readonly freshUntilMs: number;
  readonly leftOut: readonly LeftOut[];
  readonly problem?: Problem;
}

/** Characters of one page */
const MAX_LENGTH = 8_388_608;

/** Returns as many whole connectors as fit, in their order. */
export function bounded(parts: readonly Part[]): readonly Part[] {
  let length = 0;
  return parts.map((part) => {
    const { connectorId, items } = part;
    const own = items.reduce((sum, item) => sum + item.length + 1, 0);
    if (length + own > MAX_LENGTH)
      return {
        connectorId,
        items: [],
        freshUntilMs: 0,
        leftOut: [{ connector_id: connectorId, code: 'list_too_long' }],
      };
    length += own;
    return part;
  });
}

export function writeList(
  { kind, era, nowMs }: { kind: ListKind; era: Era; nowMs: number },
  parts: readonly Part[],
  faults: readonly LeftOut[],
  last: Connector | undefined,
): string {
  const leftOut = [...faults, ...parts.flatMap((part) => part.leftOut)];
  // The remaining time, wherever the list was cached, so that no list is used for longer than its tool server allows.
  const freshUntilMs = Math.min(nowMs + MAX_TTL_MS, ...parts.map((part) => part.freshUntilMs));
  const ttlMs = Math.max(0, freshUntilMs - nowMs);
  const others = {
    ...(last && { nextCursor: writeCursor(last.id) }),
    ...(era === 'modern' && { resultType: 'complete', ttlMs, cacheScope: 'private' }),
    _meta: { [LEFT_OUT_KEY]: leftOut },
  };
  const items = parts.flatMap((part) => part.items).join(',');
  return `{"${LISTS[kind].member}":[${items}],${JSON.stringify(others).slice(1)}`;
}
