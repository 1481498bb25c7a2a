import type { Check } from '../../api/types.ts';

/** The members of a connector that locate its tool server. */
export interface Addresses {
  readonly resource_url: string;
  /** Absent: the API derives it from `resource_url` */
  readonly mcp_url?: string;
}

/**
 * Returns the identifier that a tool server gives itself, for which a connector is registered, and its MCP
 * endpoint, whose URL people enter. A different spelling is accepted only if the hub itself used it for this
 * URL; otherwise the URL is returned.
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
