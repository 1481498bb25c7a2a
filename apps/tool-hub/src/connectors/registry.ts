import type { Connector } from './connector.ts';

/**
 * Which connectors an organization has. Every question names the organization: a connector of another one does not exist
 * for it.
 */
export interface ConnectorRegistry {
  find(organizationId: string, connectorId: string): Connector | undefined;
  /** In the order in which they were configured. */
  list(organizationId: string): readonly Connector[];
}

/** @throws {Error} when one organization has the same connector id twice */
export function createConnectorRegistry(connectors: readonly Connector[]): ConnectorRegistry {
  const byOrganization = new Map<string, Map<string, Connector>>();
  for (const connector of connectors) {
    const own = byOrganization.get(connector.organizationId) ?? new Map<string, Connector>();
    if (own.has(connector.id))
      throw new Error(`connector ${connector.id} is there twice for ${connector.organizationId}`);
    byOrganization.set(connector.organizationId, own.set(connector.id, connector));
  }
  return {
    find: (organizationId, connectorId) => byOrganization.get(organizationId)?.get(connectorId),
    list: (organizationId) => [...(byOrganization.get(organizationId)?.values() ?? [])],
  };
}
