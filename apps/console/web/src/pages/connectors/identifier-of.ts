import type { Check } from '../../api/types.ts';

/** The members of a connector that say where its tool server is. */
export interface Addresses {
  readonly resource_url: string;
  /** Absent: as the API derives it from `resource_url` */
  readonly mcp_url?: string;
}

/**
 * Returns what a tool server calls itself, which is what a connector is for, and its MCP endpoint, whose address people
 * enter. Only a spelling that the hub itself took for this address is accepted; otherwise it is the address.
 */
export function addressesOf(address: string, checks: readonly Check[] = []): Addresses {
  const found = checks.find(({ check }) => check === 'resource_identifier');
  const { resource, expected, mcp_url: endpoint } = found?.evidence ?? {};
  const isTaken =
    found?.status === 'ok' &&
    Array.isArray(expected) &&
    expected.includes(address) &&
    expected.includes(resource);
  if (!isTaken || typeof resource !== 'string') return { resource_url: address };
  return { resource_url: resource, ...(typeof endpoint === 'string' && { mcp_url: endpoint }) };
}
