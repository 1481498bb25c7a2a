import type { OrganizationId } from '@legate/ids';
import type { Connector } from './connector.ts';
import { NO_CONNECTORS, type OrganizationConnectors, organizationConnectors } from './connector-set.ts';

/** The connectors of all organizations. Every request is for one organization, and finds no connectors of others. */
export interface ConnectorRegistry {
  /**
   * Returns a consistent snapshot; empty for an unknown organization.
   * @throws {Problem} 403 `organization_suspended`, 503 `connectors_unavailable`
   */
  of(organizationId: OrganizationId): Promise<OrganizationConnectors>;
  /** Invalidates what is cached for the organization. */
  forget(organizationId: OrganizationId): void;
  /** Marks what is cached for the organization as outdated: it is requested again, and used if that fails. */
  recheckOne(organizationId: OrganizationId): void;
}

/**
 * Creates a registry with fixed connectors, of organizations without agents.
 * @throws {Error} if one organization has the same connector id twice
 */
export function createConnectorRegistry(connectors: readonly Connector[]): ConnectorRegistry {
  const byOrganization = new Map<string, Map<string, Connector>>();
  for (const connector of connectors) {
    const own = byOrganization.get(connector.organizationId) ?? new Map<string, Connector>();
    if (own.has(connector.id))
      throw new Error(`duplicate connector ${connector.id} of ${connector.organizationId}`);
    byOrganization.set(connector.organizationId, own.set(connector.id, connector));
  }
  const sets = new Map(
    [...byOrganization].map(([id, own]) => [id, organizationConnectors(own, new Map(), [])] as const),
  );
  return {
    of: async (organizationId) => sets.get(organizationId) ?? NO_CONNECTORS,
    forget: () => undefined,
    recheckOne: () => undefined,
  };
}
