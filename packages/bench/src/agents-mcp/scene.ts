import type { BenchConnector } from '../tools-call/open-world.ts';
import { TOOL } from '../tools-call/scene.ts';

/**
 * Shared by the programs and the load of this path, so that a page of a list has the same number of connectors in all.
 */
export const PAGE_SIZE = 25;
export const REVISION = '2026-07-28';
export const SIZES = [1, 10, 100] as const;

/** An organization with that many connectors */
export const organizationOf = (size: number): string => `org_${size}`;
const sizeOf = (organizationId: string): number => Number(organizationId.slice('org_'.length));

/** Ids in the order in which they are listed, and their tool servers in the world */
export const CONNECTORS: readonly BenchConnector[] = Array.from({ length: Math.max(...SIZES) }, (_, i) => ({
  id: `con_${String(i).padStart(3, '0')}`,
  path: `/tools${i}`,
  organizationIds: SIZES.filter((size) => i < size).map(organizationOf),
}));

/** Returns a cursor, in the hub's own format, which contains the last connector of the previous page. */
export const cursorAfter = (connectorId: string): string =>
  Buffer.from(`1:${connectorId}`).toString('base64url');

/** The connectors of one page */
export function pageOf(organizationId: string, cursor: string | undefined): readonly BenchConnector[] {
  const after = cursor && Buffer.from(cursor, 'base64url').toString().slice('1:'.length);
  const all = CONNECTORS.slice(0, sizeOf(organizationId));
  const start = after ? all.findIndex(({ id }) => id === after) + 1 : 0;
  return all.slice(start, start + PAGE_SIZE);
}

export const nameAt = ({ id }: BenchConnector): string => `${id.replace('_', '-')}_${TOOL}`;

/** Returns the connector whose slug is the prefix: `con-007_find_orders` belongs to `con_007`. */
export const connectorOf = (name: string): BenchConnector | undefined =>
  CONNECTORS.find((connector) => nameAt(connector) === name);
