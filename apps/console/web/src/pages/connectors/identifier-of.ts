import type { Check } from '../../api/types.ts';

/**
 * Returns what a tool server calls itself, which is what a connector is for: people enter the address of its MCP endpoint.
 * Only a spelling that the hub itself took for this address is accepted; otherwise it is the address.
 */
export function identifierOf(address: string, checks: readonly Check[] = []): string {
  const found = checks.find(({ check }) => check === 'resource_identifier');
  const { resource, expected } = found?.evidence ?? {};
  const isTaken =
    found?.status === 'ok' &&
    Array.isArray(expected) &&
    expected.includes(address) &&
    expected.includes(resource);
  return isTaken && typeof resource === 'string' ? resource : address;
}
