import { type PageRequest, toPage } from '@legate/pagination';

export const ok = <Body>(body: Body) => ({ status: 200, body }) as const;

export const created = <Body>(body: Body) => ({ status: 201, body }) as const;

export const noContent = { status: 204 } as const;

/** Returns one page of a list that is complete in memory. */
export const pageOfAll = <Item, Wire>(
  all: readonly Item[],
  { limit, offset }: PageRequest,
  toWire: (item: Item) => Wire,
) => ok(toPage(all.slice(offset, offset + limit).map(toWire), all.length, { limit, offset }));
